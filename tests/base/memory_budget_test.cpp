// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/memory_budget.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace ucxx::base {
namespace {

constexpr std::size_t kStep = MemoryBudget::kStep, kExempt = MemoryBudget::kExempt;
constexpr std::size_t kLittle = std::size_t{1} << 20;

std::atomic<std::uint64_t> available_bytes{0};
std::atomic<int> looks{0};
std::uint64_t available() noexcept {
  ++looks;
  return available_bytes;
}

std::size_t pageBytesOf(const SharedMemory& memory) {
  struct stat state {};
  EXPECT_EQ(::fstat(memory.descriptor(), &state), 0);
  return static_cast<std::size_t>(state.st_blocks) * 512;
}

class MemoryBudgetTest : public testing::Test {
 protected:
  MemoryBudgetTest() {
    available_bytes = 0;
    looks = 0;
  }

  bool reserveAndCommit(std::size_t bytes) {
    if (!budget_.reserve(bytes)) return false;
    budget_.commit(bytes);
    return true;
  }

  MemoryBudget budget_{available};
};

TEST_F(MemoryBudgetTest, TheFirstBytesAreExempt) {
  EXPECT_TRUE(reserveAndCommit(kExempt - 1));
  EXPECT_TRUE(reserveAndCommit(1));
  EXPECT_EQ(looks, 0);
  EXPECT_FALSE(budget_.reserve(1));
  EXPECT_EQ(looks, 1);
}

TEST_F(MemoryBudgetTest, GrowsByWholeSteps) {
  EXPECT_TRUE(reserveAndCommit(kExempt));
  available_bytes = kStep - 1;
  EXPECT_FALSE(budget_.reserve(1));
  available_bytes = kStep;
  EXPECT_TRUE(reserveAndCommit(1));
  available_bytes = 0;
  EXPECT_TRUE(reserveAndCommit(kStep - 1));
  EXPECT_FALSE(budget_.reserve(1));
}

TEST_F(MemoryBudgetTest, WhatIsRefusedTakesNothing) {
  available_bytes = 3 * kStep;
  EXPECT_FALSE(budget_.reserve(kExempt + 3 * kStep + 1));
  EXPECT_FALSE(budget_.reserve(SIZE_MAX));
  EXPECT_TRUE(budget_.reserve(kExempt + 3 * kStep));
}

TEST_F(MemoryBudgetTest, BudgetsSeeEachOthersPromises) {
  MemoryBudget other(available);
  std::atomic<std::uint64_t> promises{0};
  budget_.shareWith(promises);
  other.shareWith(promises);
  available_bytes = 3 * kStep;
  EXPECT_TRUE(budget_.reserve(kExempt + 2 * kStep));
  EXPECT_EQ(promises, 2 * kStep);
  EXPECT_FALSE(other.reserve(kExempt + 2 * kStep));
  EXPECT_EQ(promises, 2 * kStep);
  budget_.commit(kExempt + 2 * kStep);  // the figure of the system has them now
  EXPECT_EQ(promises, 0u);
  EXPECT_TRUE(other.reserve(kExempt + 2 * kStep));
}

TEST_F(MemoryBudgetTest, TheRestOfAStepStaysPromised) {
  std::atomic<std::uint64_t> promises{0};
  budget_.shareWith(promises);
  available_bytes = kStep;
  EXPECT_TRUE(reserveAndCommit(kExempt + kLittle));
  EXPECT_EQ(promises, kStep - kLittle);
}

TEST_F(MemoryBudgetTest, WhatIsGivenBackHasToBeAskedForAgain) {
  std::atomic<std::uint64_t> promises{0};
  budget_.shareWith(promises);
  available_bytes = 2 * kStep;
  EXPECT_TRUE(reserveAndCommit(kExempt + 2 * kStep));
  budget_.release(kStep + kLittle);
  EXPECT_EQ(promises, kLittle);
  available_bytes = 0;
  EXPECT_TRUE(reserveAndCommit(kLittle));
  EXPECT_FALSE(budget_.reserve(1));
  budget_.release(kExempt + kStep);
  EXPECT_EQ(promises, 0u);
  EXPECT_TRUE(reserveAndCommit(kExempt));
}

TEST_F(MemoryBudgetTest, WhatIsGivenUpIsPromisedNoMore) {
  std::atomic<std::uint64_t> promises{0};
  budget_.shareWith(promises);
  available_bytes = 10 * kStep;
  EXPECT_TRUE(budget_.reserve(kExempt + 10 * kStep));
  budget_.cancel(kExempt + 10 * kStep);
  EXPECT_EQ(promises, 0u);
}

/// Together threads never get more than there is, and in the end nothing is promised.
TEST_F(MemoryBudgetTest, ManyAtOnce) {
  constexpr int kThreads = 8, kRounds = 2000;
  constexpr std::size_t kSteps = 5;
  std::atomic<std::uint64_t> promises{0};
  std::atomic<std::size_t> held{0}, most{0};
  available_bytes = kSteps * kStep;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      MemoryBudget own(available);
      own.shareWith(promises);
      for (int round = 0; round < kRounds; ++round) {
        if (!own.reserve(kExempt + kStep)) continue;
        const std::size_t now = held += kStep;
        for (std::size_t seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        held -= kStep;
        own.cancel(kExempt + kStep);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, kSteps * kStep);
  EXPECT_GT(most, 0u);
  EXPECT_EQ(promises, 0u);
}

TEST_F(MemoryBudgetTest, APartIsPopulatedWithinIt) {
  SharedMemory memory = SharedMemory::reserve(kExempt + 3 * kStep);
  available_bytes = kStep;
  EXPECT_FALSE(populateWithin(budget_, memory, 0, kExempt + 2 * kStep));
  EXPECT_EQ(pageBytesOf(memory), 0u);
  EXPECT_TRUE(populateWithin(budget_, memory, kStep, kLittle));
  EXPECT_EQ(pageBytesOf(memory), kLittle);
}

/// Another program takes all that is left while the pages come.
TEST_F(MemoryBudgetTest, WhatOthersTakeMeanwhileIsNoticed) {
  std::atomic<std::uint64_t> promises{0};
  MemoryBudget budget([]() noexcept -> std::uint64_t { return looks++ == 0 ? 10 * kStep : 0; });
  budget.shareWith(promises);
  SharedMemory memory = SharedMemory::reserve(kExempt + 3 * kStep);
  EXPECT_FALSE(populateWithin(budget, memory, 0, kExempt + 3 * kStep));
  EXPECT_EQ(looks, 2);
  EXPECT_EQ(pageBytesOf(memory), 0u);
  EXPECT_EQ(promises, 0u);
}

/// Bytes beyond the end of the memory cannot be populated: nothing is left of those before.
TEST_F(MemoryBudgetTest, WhatTheSystemRefusesIsGivenBack) {
  std::atomic<std::uint64_t> promises{0};
  budget_.shareWith(promises);
  SharedMemory memory = SharedMemory::reserve(2 * kLittle);
  available_bytes = 10 * kStep;
  EXPECT_FALSE(populateWithin(budget_, memory, 0, kExempt + 2 * kStep));
  EXPECT_EQ(pageBytesOf(memory), 0u);
  EXPECT_EQ(promises, 0u);
}

}  // namespace
}  // namespace ucxx::base
