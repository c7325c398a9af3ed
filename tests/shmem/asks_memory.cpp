// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// For memory_check.py: asks for so many MiB, and says whether it has got them.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <shmem.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  const std::size_t bytes = std::strtoull(words[1], nullptr, 10) << 20;
  shmem_init();
  void* const block = shmem_malloc(bytes);
  if (block != nullptr) std::memset(block, 1, bytes);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) std::puts(block == nullptr ? "null" : "memory");
  shmem_finalize();
}
