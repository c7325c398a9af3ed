// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/arena.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local/memory_table.h"

namespace ucxx::local::test {
namespace {

constexpr std::size_t kBytes = 300'000;

/// What its pages take.
std::size_t memoryOf(const Arena& arena) {
  struct stat state {};
  EXPECT_EQ(::fstat(arena.descriptor(), &state), 0);
  return static_cast<std::size_t>(state.st_blocks) * 512;
}

TEST(ArenaTest, BlocksDoNotOverlapAndBeginAtPages) {
  Arena& arena = *Arena::get();
  std::vector<std::pair<std::byte*, std::size_t>> blocks;
  for (std::size_t size = 1; size < 3'000'000; size = size * 3 / 2 + 1) {
    auto* block = static_cast<std::byte*>(arena.allocate(size));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 4096, 0u);
    EXPECT_TRUE(arena.contains(block, size));
    std::memset(block, static_cast<int>(blocks.size()), size);
    blocks.emplace_back(block, size);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [block, size] = blocks[i];
    for (std::size_t at = 0; at < size; ++at) ASSERT_EQ(block[at], static_cast<std::byte>(i));
    arena.free(block, size);
  }
}

TEST(ArenaTest, AFreeBlockIsTakenAgain) {
  Arena& arena = *Arena::get();
  void* const first = arena.allocate(kBytes);
  arena.free(first, kBytes);
  void* const second = arena.allocate(kBytes - 1000);  // of the same four sizes
  EXPECT_EQ(second, first);
  arena.free(second, kBytes - 1000);
}

TEST(ArenaTest, HasItsPagesWhenTaken) {
  Arena arena(1 << 30, 0);
  EXPECT_EQ(memoryOf(arena), 0u);
  void* const block = arena.allocate(kBytes);
  EXPECT_GE(memoryOf(arena), kBytes);
  arena.free(block, kBytes);
  EXPECT_EQ(memoryOf(arena), 0u);
}

TEST(ArenaTest, FreeBlocksKeepOnlySoMuchMemory) {
  constexpr std::size_t size = 1 << 20, kept = 12;
  Arena arena(1 << 30, kept * size);
  std::vector<void*> blocks(20);
  for (void*& block : blocks) ASSERT_NE(block = arena.allocate(size), nullptr);
  for (void* block : blocks) arena.free(block, size);
  EXPECT_EQ(memoryOf(arena), kept * size);
  for (void*& block : blocks) ASSERT_NE(block = arena.allocate(size), nullptr);
  EXPECT_EQ(memoryOf(arena), blocks.size() * size);
  for (void* block : blocks) arena.free(block, size);
}

TEST(ArenaTest, TooMuchIsRefusedAndLosesNothing) {
  Arena arena(1 << 20, 1 << 20);
  EXPECT_EQ(arena.allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(arena.allocate((1 << 20) + 1), nullptr);
  void* const whole = arena.allocate(1 << 20);
  EXPECT_NE(whole, nullptr);
  EXPECT_EQ(arena.allocate(1), nullptr);
  arena.free(whole, 1 << 20);
  EXPECT_EQ(arena.allocate(1 << 20), whole);
}

TEST(ArenaTest, WhatIsFreeServesEverySize) {
  Arena arena(64 << 20, 64 << 20);
  for (std::size_t size = 4 << 20; size <= 64 << 20; size += 4 << 20) {
    void* const block = arena.allocate(size);
    ASSERT_NE(block, nullptr) << size;
    arena.free(block, size);
  }
  void* const blocks[] = {arena.allocate(16 << 20), arena.allocate(16 << 20),
                          arena.allocate(16 << 20)};
  arena.free(blocks[0], 16 << 20);
  arena.free(blocks[2], 16 << 20);
  EXPECT_EQ(arena.allocate(40 << 20), nullptr);
  arena.free(blocks[1], 16 << 20);
  void* const whole = arena.allocate(64 << 20);
  EXPECT_EQ(whole, arena.bytes().data() + MemoryTable::kBytes);
  arena.free(whole, 64 << 20);
}

TEST(ArenaTest, ContainsOnlyWhatLiesWholeInIt) {
  Arena& arena = *Arena::get();
  const auto bytes = arena.bytes();
  int elsewhere = 0;
  EXPECT_FALSE(arena.contains(&elsewhere, sizeof elsewhere));
  EXPECT_TRUE(arena.contains(bytes.data(), bytes.size()));
  EXPECT_FALSE(arena.contains(bytes.data() + 1, bytes.size()));
  EXPECT_FALSE(arena.contains(bytes.data() - 1, 2));
  EXPECT_FALSE(arena.contains(bytes.data() + 1, SIZE_MAX));
}

TEST(ArenaTest, ManyThreadsTakeAndFree) {
  Arena& arena = *Arena::get();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 500; ++i) {
        const std::size_t size = 4096 * static_cast<std::size_t>(i % 7 + 1);
        auto* block = static_cast<int*>(arena.allocate(size));
        *block = thread;
        std::this_thread::yield();
        EXPECT_EQ(*block, thread);
        arena.free(block, size);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ArenaTest, IsNotMadeWhereAddressesAreLimited) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit few{rlim_t{1} << 46, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &few), 0);
  EXPECT_FALSE(Arena::mayReserve());
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_TRUE(Arena::mayReserve());
}

TEST(ArenaTest, AForkedChildReadsButTakesNothing) {
  Arena& arena = *Arena::get();
  auto* block = static_cast<int*>(arena.allocate(kBytes));
  *block = 42;
  const pid_t child = ::fork();
  if (child == 0) {
    const bool reads = *block == 42;
    const bool takes = Arena::get() != nullptr || arena.allocate(kBytes) != nullptr;
    arena.free(block, kBytes);
    ::_exit(reads && !takes ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_NE(arena.allocate(kBytes), block);  // it is not free
}

}  // namespace
}  // namespace ucxx::local::test
