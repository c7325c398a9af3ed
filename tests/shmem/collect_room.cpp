// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// shmemx_collectmem: a dest that is too short is told to all members, and nothing is written.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <shmemx.h>

#include "shmem/check.h"

namespace {

constexpr std::size_t kRoom = 16 << 10;  // for what 16 PEs have

unsigned char* dest = nullptr;
unsigned char* source = nullptr;

/// PE i has i + 1 blocks of that size.
std::size_t bytesOf(int pe, std::size_t block) { return static_cast<std::size_t>(pe + 1) * block; }
std::size_t bytesOfAll(std::size_t block) {
  std::size_t bytes = 0;
  for (int pe = 0; pe < shmem_n_pes(); ++pe) bytes += bytesOf(pe, block);
  return bytes;
}

int collect(std::size_t room, std::size_t block) {
  return shmemx_collectmem(SHMEM_TEAM_WORLD, dest, room, source, bytesOf(shmem_my_pe(), block));
}

void expectAll(std::size_t block) {
  const unsigned char* next = dest;
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    for (std::size_t i = 0; i < bytesOf(pe, block); ++i) CHECK_EQ(*next++, pe + 1);
  }
}

void expectNothing() {
  for (std::size_t i = 0; i < kRoom; ++i) CHECK_EQ(dest[i], 0);
}

void clear() {
  std::memset(dest, 0, kRoom);
  shmem_barrier_all();
}

}  // namespace

int main() {
  shmem_init();
  dest = static_cast<unsigned char*>(shmem_malloc(kRoom));
  source = static_cast<unsigned char*>(shmem_malloc(kRoom));
  std::memset(source, shmem_my_pe() + 1, kRoom);
  const bool is_last = shmem_my_pe() == shmem_n_pes() - 1;
  for (const std::size_t block : {std::size_t{1}, std::size_t{100}}) {
    const std::size_t all = bytesOfAll(block);
    clear();
    CHECK_EQ(collect(all, block), 0);
    expectAll(block);
    clear();
    CHECK(collect(all - 1, block) != 0);
    shmem_barrier_all();
    expectNothing();
    CHECK(collect(is_last ? all - 1 : kRoom, block) != 0);  // one alone has too little
    shmem_barrier_all();
    expectNothing();
    CHECK_EQ(collect(SIZE_MAX, block), 0);
    expectAll(block);
  }
  CHECK(shmemx_collectmem(SHMEM_TEAM_INVALID, dest, kRoom, source, 1) != 0);
  shmem_barrier_all();
  shmem_finalize();
}
