// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/object_pool.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"

namespace ucxx::base {
namespace {

struct Payload {
  explicit Payload(int value) { words.fill(value); }
  std::array<int, 60> words;
};

// One slot between two threads; both ends give up at the deadline.
struct Mailbox {
  std::atomic<void*> slot{nullptr};
  Clock::time_point deadline = Clock::now() + std::chrono::seconds(60);

  bool put(void* block) {
    void* empty = nullptr;
    while (!slot.compare_exchange_weak(empty, block, std::memory_order_acq_rel)) {
      if (Clock::now() > deadline) return false;
      std::this_thread::yield();
      empty = nullptr;
    }
    return true;
  }

  void* take() {
    void* block = nullptr;
    while ((block = slot.exchange(nullptr, std::memory_order_acq_rel)) == nullptr) {
      if (Clock::now() > deadline) return nullptr;
      std::this_thread::yield();
    }
    return block;
  }
};

TEST(ObjectPoolTest, BlocksAreAlignedAndDoNotOverlap) {
  for (std::size_t bytes = 1; bytes <= kPoolMaxBytes; bytes += 61) {
    std::vector<unsigned char*> blocks;
    for (int i = 0; i < 100; ++i) {
      blocks.push_back(static_cast<unsigned char*>(poolAllocate(bytes)));
      std::memset(blocks.back(), i, bytes);
    }
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[i]) % kPoolUnitBytes, 0u);
      EXPECT_EQ(blocks[i][0], i);
      EXPECT_EQ(blocks[i][bytes - 1], i);
      poolFree(blocks[i], bytes);
    }
  }
}

TEST(ObjectPoolTest, FreedBlockIsUsedNext) {
  if (kPoolBypassed) GTEST_SKIP() << "AddressSanitizer: no pool";
  void* first = poolAllocate(200);
  poolFree(first, 200);
  void* second = poolAllocate(256);  // the same size class
  EXPECT_EQ(first, second);
  poolFree(second, 256);
}

TEST(ObjectPoolTest, AllocateSharedTakesOneBlock) {
  if (kPoolBypassed) GTEST_SKIP() << "AddressSanitizer: no pool";
  void* probe = poolAllocate(sizeof(Payload) + 16);
  poolFree(probe, sizeof(Payload) + 16);
  auto object = std::allocate_shared<Payload>(PoolAllocator<Payload>(), 7);
  EXPECT_EQ(object->words.back(), 7);
  const auto distance = reinterpret_cast<char*>(object.get()) - static_cast<char*>(probe);
  EXPECT_TRUE(distance >= 0 && distance < 64);
}

TEST(ObjectPoolTest, BigAlignedAndArrayAllocationsWork) {
  struct alignas(128) Aligned {
    char bytes[128];
  };
  struct Big {
    char bytes[5000];
  };
  auto aligned = std::allocate_shared<Aligned>(PoolAllocator<Aligned>());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned.get()) % 128, 0u);
  auto big = std::allocate_shared<Big>(PoolAllocator<Big>());
  std::memset(big->bytes, 1, sizeof(big->bytes));
  std::vector<int, PoolAllocator<int>> numbers(1000, 3);
  EXPECT_EQ(numbers.at(999), 3);
  EXPECT_THROW(PoolAllocator<Big>().allocate(static_cast<std::size_t>(-1) / 2), std::bad_alloc);
}

TEST(ObjectPoolTest, MemoryComesBackAfterAPeak) {
  const auto peak = [] {
    std::vector<void*> blocks;
    for (int i = 0; i < 5000; ++i) blocks.push_back(poolAllocate(320));
    const std::set<void*> distinct(blocks.begin(), blocks.end());
    EXPECT_EQ(distinct.size(), blocks.size());
    for (void* block : blocks) poolFree(block, 320);
  };
  peak();
  const std::size_t reserved = poolReservedBytes();
  for (int i = 0; i < 20; ++i) peak();
  EXPECT_EQ(poolReservedBytes(), reserved);
}

TEST(ObjectPoolTest, OneThreadAllocatesAnotherFreesWithoutGrowth) {
  Mailbox mailbox;
  constexpr int kWarmUp = 2000;
  constexpr int kBlocks = 50000;
  std::size_t reserved = 0;
  std::thread consumer([&] {
    for (int i = 0; i < kBlocks; ++i) {
      void* block = mailbox.take();
      if (block == nullptr) return;
      poolFree(block, 448);
    }
  });
  for (int i = 0; i < kBlocks; ++i) {
    if (i == kWarmUp) reserved = poolReservedBytes();
    void* block = poolAllocate(448);
    std::memset(block, i, 448);
    if (!mailbox.put(block)) break;
  }
  consumer.join();
  EXPECT_LT(Clock::now(), mailbox.deadline);
  EXPECT_EQ(poolReservedBytes(), reserved);
}

TEST(ObjectPoolTest, ExitingThreadGivesItsBlocksBack) {
  const auto use = [] {
    std::vector<void*> blocks;
    for (int i = 0; i < 50; ++i) blocks.push_back(poolAllocate(704));
    for (void* block : blocks) poolFree(block, 704);
  };
  std::thread(use).join();
  const std::size_t reserved = poolReservedBytes();
  for (int i = 0; i < 500; ++i) std::thread(use).join();
  EXPECT_EQ(poolReservedBytes(), reserved);
}

// Constructed before the pool's own thread-exit guard, so destroyed after it.
struct LateUser {
  void* block = nullptr;
  ~LateUser() {
    poolFree(block, 832);
    for (int i = 0; i < 40; ++i) poolFree(poolAllocate(832), 832);
  }
};

TEST(ObjectPoolTest, ThreadLocalDestructorsMayUseThePoolAfterItsEnd) {
  const auto use = [] {
    thread_local LateUser late;
    late.block = poolAllocate(832);
  };
  std::thread(use).join();
  const std::size_t reserved = poolReservedBytes();
  for (int i = 0; i < 300; ++i) std::thread(use).join();
  EXPECT_EQ(poolReservedBytes(), reserved);
}

// Frees at exit, after main's thread_locals and the test framework are gone.
struct StaticUser {
  void* block = nullptr;
  ~StaticUser() {
    if (block == nullptr) return;
    poolFree(block, 128);
    poolFree(poolAllocate(128), 128);
  }
} static_user;

TEST(ObjectPoolTest, StaticDestructorsMayUseThePool) {
  static_user.block = poolAllocate(128);
  EXPECT_NE(static_user.block, nullptr);
}

// Four threads, all allocating and freeing what others allocated; a block handed out twice shows.
TEST(ObjectPoolTest, ManyThreadsExchangeObjects) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 20000;
  constexpr int kShelf = 512;
  std::array<std::atomic<Payload*>, kShelf> shelf{};
  std::atomic<int> damaged{0};
  PoolAllocator<Payload> allocator;
  const auto discard = [&](Payload* payload) {
    if (payload == nullptr) return;
    if (payload->words.front() != payload->words.back()) ++damaged;
    allocator.deallocate(payload, 1);
  };
  std::size_t warm = 0;
  for (int phase = 0; phase < 2; ++phase) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        std::uint32_t seed = 12345u + t;
        for (int i = 0; i < kRounds; ++i) {
          seed = seed * 1664525u + 1013904223u;
          auto* payload = ::new (allocator.allocate(1)) Payload(t * kRounds + i);
          discard(shelf[seed >> 23].exchange(payload, std::memory_order_acq_rel));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (auto& place : shelf) discard(place.exchange(nullptr));
    if (phase == 0) warm = poolReservedBytes();
  }
  EXPECT_EQ(damaged, 0);
  EXPECT_LE(poolReservedBytes(), warm + kThreads * (std::size_t{128} << 10));
}

}  // namespace
}  // namespace ucxx::base
