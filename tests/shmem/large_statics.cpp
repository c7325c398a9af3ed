// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// For memory_check.py: a program with 96 MiB of static variables.
#include <cstddef>
#include <cstdio>

#include <shmem.h>

namespace {

constexpr std::size_t kBytes = std::size_t{96} << 20;
char variables[kBytes];

}  // namespace

int main() {
  std::puts("main");
  std::fflush(stdout);
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  shmem_char_p(&variables[kBytes - 1], static_cast<char>(me + 1), next);
  shmem_barrier_all();
  const bool is_right = variables[kBytes - 1] != 0 && shmem_char_g(variables, next) == 0;
  shmem_finalize();
  return is_right ? 0 : 1;
}
