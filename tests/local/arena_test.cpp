// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/arena.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local/memory_table.h"

namespace ucxx::local::test {
namespace {

constexpr std::size_t kBytes = 300'000;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMib = std::size_t{1} << 20;
constexpr Arena::Limits kAll{SIZE_MAX, SIZE_MAX};

struct Freed {
  Arena* arena;
  std::size_t size;
  void operator()(void* block) const { arena->free(block, size); }
};
/// Freed at its end.
std::unique_ptr<void, Freed> take(Arena& arena, std::size_t size) {
  return {arena.allocate(size), {&arena, size}};
}

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
  void* const second = arena.allocate(kBytes - 1000);
  EXPECT_EQ(second, first);
  arena.free(second, kBytes - 1000);
}

/// Of a machine that has so much left.
std::atomic<std::uint64_t> available_bytes{0};
std::uint64_t available() noexcept { return available_bytes; }

constexpr std::size_t kExempt = base::MemoryBudget::kExempt, kStep = base::MemoryBudget::kStep;

TEST(ArenaTest, TakesNoMemoryThatTheMachineNeeds) {
  Arena arena(1 << 30, kAll, nullptr, available);
  available_bytes = kStep;
  const auto first = take(arena, kExempt);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(take(arena, kStep + 1), nullptr);
  EXPECT_EQ(memoryOf(arena), kExempt);
  EXPECT_NE(take(arena, kStep), nullptr);
}

TEST(ArenaTest, FreeBlocksMakeRoomWhereTheMachineHasNone) {
  Arena arena(1 << 30, kAll, nullptr, available);
  available_bytes = 0;
  void* const low = arena.allocate(kExempt / 2);
  void* const high = arena.allocate(kExempt / 2);
  arena.free(low, kExempt / 2);
  void* const larger = arena.allocate(kExempt / 2 + kPage);
  EXPECT_EQ(larger, nullptr);  // with `high` it would be a page more than is exempt
  arena.free(high, kExempt / 2);
  EXPECT_NE(take(arena, kExempt), nullptr);
}

TEST(ArenaTest, WhatIsGivenToTheSystemHasToBeAskedForAgain) {
  Arena arena(1 << 30, kAll, nullptr, available);
  available_bytes = kStep;
  take(arena, kExempt + kStep).reset();
  arena.trim();
  available_bytes = 0;
  EXPECT_EQ(take(arena, kExempt + kStep), nullptr);
  EXPECT_NE(take(arena, kExempt), nullptr);
}

TEST(ArenaTest, PagesThatComeLateArePromised) {
  Arena arena(1 << 30, {0, SIZE_MAX}, nullptr, available);
  available_bytes = 2 * kStep;
  const std::size_t size = kExempt + kStep;
  const Arena::Reserved reserved = arena.reserve(size);
  ASSERT_NE(reserved.block, nullptr);
  EXPECT_EQ(arena.reserve(2 * kStep).block, nullptr);
  EXPECT_EQ(take(arena, 2 * kStep), nullptr);
  std::memset(reserved.block, 1, size);  // the figure of the system has them now
  EXPECT_NE(take(arena, 2 * kStep), nullptr);
  arena.freeReserved(reserved.block, size);
  EXPECT_EQ(memoryOf(arena), 0u);
  EXPECT_NE(take(arena, kExempt + 2 * kStep), nullptr);
}

/// A sender that leaves in the middle of its message.
TEST(ArenaTest, ABlockWithHolesEndsItsPromise) {
  Arena arena(1 << 30, {0, SIZE_MAX}, nullptr, available);
  available_bytes = kStep;
  for (int time = 0; time < 3; ++time) {
    const std::size_t size = kExempt + kStep;
    const Arena::Reserved reserved = arena.reserve(size);
    ASSERT_NE(reserved.block, nullptr);
    std::memset(reserved.block, 1, kMib);
    arena.freeReserved(reserved.block, size);
  }
  EXPECT_EQ(memoryOf(arena), 0u);
}

TEST(ArenaTest, HasItsPagesWhenTaken) {
  Arena arena(1 << 30, {0, SIZE_MAX});
  EXPECT_EQ(memoryOf(arena), 0u);
  void* const block = arena.allocate(kBytes);
  EXPECT_GE(memoryOf(arena), kBytes);
  arena.free(block, kBytes);
  EXPECT_EQ(memoryOf(arena), 0u);
}

TEST(ArenaTest, ABlockHasThePagesOfItsSize) {
  Arena arena(1 << 30, kAll);
  for (const std::size_t size : {std::size_t{1}, kPage, kPage + 1, std::size_t{70'000'000}}) {
    auto block = take(arena, size);
    EXPECT_LT(memoryOf(arena), size + kPage);
    EXPECT_EQ(arena.stats().used_bytes, memoryOf(arena));
    block.reset();
    arena.trim();
  }
}

TEST(ArenaTest, WarmMemoryServesSmallerAndLargerBlocks) {
  Arena arena(1 << 30, kAll);
  take(arena, 64 * kMib).reset();
  const std::size_t sizes[] = {60 * kMib, 64 * kMib, kMib, 65 * kMib, 100 * kMib};
  for (const std::size_t size : sizes) take(arena, size).reset();
  EXPECT_EQ(arena.stats().reused, std::size(sizes));
  EXPECT_EQ(memoryOf(arena), 100 * kMib);  // what was there, and what was missing
  EXPECT_EQ(arena.stats().idle_bytes, 100 * kMib);
}

TEST(ArenaTest, SeveralBlocksShareWarmMemory) {
  Arena arena(1 << 30, kAll);
  take(arena, 10 * kMib).reset();
  const auto one = take(arena, 3 * kMib), two = take(arena, 4 * kMib), three = take(arena, kMib);
  EXPECT_EQ(memoryOf(arena), 10 * kMib);
  EXPECT_EQ(arena.stats().idle_bytes, 2 * kMib);
  EXPECT_EQ(arena.stats().reused, 3u);
}

TEST(ArenaTest, SizesThatVaryFindWarmMemory) {
  Arena arena(std::size_t{4} << 30, kAll);
  std::minstd_rand random(1);
  std::vector<std::unique_ptr<void, Freed>> held;
  constexpr std::uint64_t kCount = 300;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    if (held.size() == 4) held.erase(held.begin() + static_cast<std::ptrdiff_t>(random() % 4));
    held.push_back(take(arena, kMib + random() % (8 * kMib)));
    ASSERT_NE(held.back(), nullptr);
  }
  EXPECT_GT(arena.stats().reused, kCount * 9 / 10);
  EXPECT_LT(memoryOf(arena), 2 * 4 * 9 * kMib);
}

TEST(ArenaTest, GivesBackWhatHasRested) {
  Arena arena(1 << 30, kAll);
  const auto kept = take(arena, kMib);
  take(arena, 40 * kMib).reset();
  const auto freed = base::Clock::now();
  EXPECT_EQ(arena.giveBackUnused(freed + Arena::kRest / 2), 0u);
  EXPECT_EQ(memoryOf(arena), 41 * kMib);
  for (const std::size_t part : {16, 16, 8})  // so that none takes long
    EXPECT_EQ(arena.giveBackUnused(freed + Arena::kRest), part * kMib);
  EXPECT_EQ(memoryOf(arena), kMib);
  EXPECT_EQ(arena.stats().idle_bytes, 0u);
  EXPECT_EQ(arena.giveBackUnused(freed + 2 * Arena::kRest), 0u);
}

/// As much as was free all the time goes in parts, so that it does not take long.
TEST(ArenaTest, KeepsWhatIsTakenNowAndThen) {
  Arena arena(1 << 30, kAll);
  take(arena, 100 * kMib).reset();
  const auto now = base::Clock::now();
  EXPECT_EQ(arena.giveBackUnused(now - Arena::kRest), 0u);  // it was not there before
  take(arena, 70 * kMib).reset();
  std::size_t given = 0;
  for (int part = 0; part < 10; ++part) {
    const std::size_t bytes = arena.giveBackUnused(now);
    EXPECT_LE(bytes, 16 * kMib);
    given += bytes;
  }
  EXPECT_EQ(given, 30 * kMib);
  const std::uint64_t reused = arena.stats().reused;
  take(arena, 70 * kMib).reset();
  EXPECT_EQ(arena.stats().reused, reused + 1);
  EXPECT_EQ(memoryOf(arena), 70 * kMib);
}

TEST(ArenaTest, SetsItsTimerWhileSomethingIsIdle) {
  base::TimerDescriptor timer;
  Arena arena(1 << 30, kAll, &timer);
  const auto left = [&] {
    itimerspec spec{};
    EXPECT_EQ(::timerfd_gettime(timer.get(), &spec), 0);
    return std::chrono::seconds(spec.it_value.tv_sec) +
           std::chrono::nanoseconds(spec.it_value.tv_nsec);
  };
  auto block = take(arena, kBytes);
  EXPECT_EQ(left().count(), 0);
  block.reset();
  EXPECT_GT(left(), Arena::kRest / 2);
  EXPECT_LE(left(), Arena::kRest);
  EXPECT_NE(arena.giveBackUnused(base::Clock::now() + Arena::kRest), 0u);
  EXPECT_EQ(left().count(), 0);  // and a process that sleeps sleeps on
}

TEST(ArenaTest, TrimGivesBackAllThatIsFree) {
  Arena arena(1 << 30, kAll);
  const auto kept = take(arena, kMib);
  take(arena, 5 * kMib).reset();
  EXPECT_EQ(arena.trim(), 5 * kMib);
  EXPECT_EQ(memoryOf(arena), kMib);
  EXPECT_EQ(arena.trim(), 0u);
}

TEST(ArenaTest, LimitsHoldAtOnce) {
  Arena arena(1 << 30, kAll);
  auto kept = take(arena, 4 * kMib);
  take(arena, 8 * kMib).reset();
  arena.setLimits(6 * kMib, std::nullopt);
  EXPECT_EQ(arena.stats().idle_bytes, 6 * kMib);
  arena.setLimits(std::nullopt, 5 * kMib);
  EXPECT_EQ(arena.stats().idle_bytes, kMib);
  EXPECT_EQ(memoryOf(arena), 5 * kMib);
  EXPECT_EQ(take(arena, 2 * kMib), nullptr);
  EXPECT_EQ(arena.stats().idle_bytes, kMib);  // which would not have helped
  EXPECT_NE(take(arena, kMib), nullptr);
  arena.setLimits(0, 0);
  EXPECT_EQ(take(arena, 1), nullptr);
  EXPECT_EQ(arena.stats().used_bytes, 4 * kMib);  // which stays
  kept.reset();
  EXPECT_EQ(memoryOf(arena), 0u);
  arena.setLimits(SIZE_MAX, SIZE_MAX);
  EXPECT_NE(take(arena, kMib), nullptr);
}

TEST(ArenaTest, IdleMemoryMakesRoomUnderTheTotalLimit) {
  Arena arena(1 << 30, {SIZE_MAX, 10 * kMib});
  take(arena, 4 * kMib).reset();
  const auto large = take(arena, 9 * kMib);
  EXPECT_NE(large, nullptr);
  EXPECT_LE(memoryOf(arena), 10 * kMib);
}

TEST(ArenaTest, AReservedBlockGetsItsPagesAsTheyAreWritten) {
  Arena arena(1 << 30, kAll);
  constexpr std::size_t kClaimed = 900 * kMib;
  auto* const block = static_cast<std::byte*>(arena.reserve(kClaimed).block);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(memoryOf(arena), 0u);
  std::memset(block, 1, 3 * kPage);
  EXPECT_EQ(memoryOf(arena), 3 * kPage);
  arena.freeReserved(block, kClaimed);  // more never came
  EXPECT_EQ(memoryOf(arena), 0u);
  EXPECT_EQ(arena.stats().used_bytes + arena.stats().idle_bytes, 0u);
}

TEST(ArenaTest, AReservedBlockIsLikeOthersOnceItIsFull) {
  Arena arena(1 << 30, kAll);
  const auto [block, has_pages] = arena.reserve(kBytes);
  EXPECT_FALSE(has_pages);
  std::memset(block, 1, kBytes);
  arena.freeReserved(block, kBytes);
  EXPECT_EQ(arena.stats().idle_bytes, memoryOf(arena));
  EXPECT_EQ(arena.allocate(kBytes), block);
  EXPECT_EQ(arena.stats().reused, 1u);
  arena.free(block, kBytes);
  const auto again = arena.reserve(kBytes);
  EXPECT_EQ(again.block, block);
  EXPECT_TRUE(again.has_pages);
  arena.free(block, kBytes);
  EXPECT_EQ(arena.stats().reused, 2u);
}

TEST(ArenaTest, FreeBlocksKeepOnlySoMuchMemory) {
  constexpr std::size_t size = 1 << 20, kept = 12;
  Arena arena(1 << 30, {kept * size, SIZE_MAX});
  std::vector<void*> blocks(20);
  for (void*& block : blocks) ASSERT_NE(block = arena.allocate(size), nullptr);
  for (void* block : blocks) arena.free(block, size);
  EXPECT_EQ(memoryOf(arena), kept * size);
  for (void*& block : blocks) ASSERT_NE(block = arena.allocate(size), nullptr);
  EXPECT_EQ(memoryOf(arena), blocks.size() * size);
  for (void* block : blocks) arena.free(block, size);
}

TEST(ArenaTest, TooMuchIsRefusedAndLosesNothing) {
  Arena arena(1 << 20, kAll);
  EXPECT_EQ(arena.allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(arena.allocate((1 << 20) + 1), nullptr);
  void* const whole = arena.allocate(1 << 20);
  EXPECT_NE(whole, nullptr);
  EXPECT_EQ(arena.allocate(1), nullptr);
  arena.free(whole, 1 << 20);
  EXPECT_EQ(arena.allocate(1 << 20), whole);
}

TEST(ArenaTest, WhatIsFreeServesEverySize) {
  Arena arena(64 << 20, kAll);
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

TEST(ArenaTest, ThreadsTakeWhileOthersGiveBack) {
  Arena arena(1 << 30, {2 * kMib, 8 * kMib});
  std::vector<std::thread> threads;
  std::atomic<int> taking{2};
  for (std::byte mark : {std::byte{1}, std::byte{2}}) {
    threads.emplace_back([&, mark] {
      for (std::size_t i = 0; i < 3000; ++i) {
        const std::size_t size = kPage * (i * 37 % 300 + 1);
        Arena::Reserved taken{nullptr, true};
        if (i % 3 == 0)
          taken = arena.reserve(size);
        else
          taken.block = arena.allocate(size);
        auto* const block = static_cast<std::byte*>(taken.block);
        ASSERT_NE(block, nullptr);
        block[0] = block[size - 1] = mark;
        std::this_thread::yield();
        EXPECT_TRUE(block[0] == mark && block[size - 1] == mark);
        taken.has_pages ? arena.free(block, size) : arena.freeReserved(block, size);
      }
      --taking;
    });
  }
  while (taking != 0) {
    arena.trim();
    arena.giveBackUnused(base::Clock::now() + Arena::kRest);
    arena.setLimits(kMib, std::nullopt);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(arena.stats().used_bytes, 0u);
  EXPECT_EQ(arena.stats().idle_bytes, memoryOf(arena));
  arena.trim();
  const auto whole = take(arena, 8 * kMib);
  EXPECT_EQ(whole.get(), arena.bytes().data() + MemoryTable::kBytes);  // no address is lost
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
    arena.freeReserved(block, kBytes);
    arena.setLimits(0, 0);
    const bool gives = arena.trim() != 0 || arena.giveBackUnused(base::TimePoint::max()) != 0;
    const bool reserves = arena.reserve(kBytes).block != nullptr || Arena::timer() != nullptr;
    ::_exit(reads && *block == 42 && !takes && !gives && !reserves ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_NE(arena.allocate(kBytes), block);  // it is not free
}

}  // namespace
}  // namespace ucxx::local::test
