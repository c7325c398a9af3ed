// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The bits that say which partitions somebody has made ready.

#include "core/plan/atomic_bits.h"

#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::core::test {
namespace {

using Rows = std::vector<std::pair<std::size_t, std::size_t>>;

Rows rowsOf(AtomicBits& bits) {
  Rows rows;
  bits.takeAll([&](std::size_t first, std::size_t last) { rows.emplace_back(first, last); });
  return rows;
}

TEST(AtomicBitsTest, RowsReachFromWordToWord) {
  AtomicBits bits(300);
  EXPECT_FALSE(bits.any());
  for (const auto& [first, last] :
       Rows{{0, 1}, {2, 3}, {62, 66}, {127, 128}, {128, 257}, {299, 300}})
    bits.set(first, last);
  EXPECT_TRUE(bits.any());
  EXPECT_EQ(rowsOf(bits), (Rows{{0, 1}, {2, 3}, {62, 66}, {127, 257}, {299, 300}}));
  EXPECT_FALSE(bits.any());
  EXPECT_EQ(rowsOf(bits), Rows{});
}

TEST(AtomicBitsTest, AllAreSetAndReset) {
  for (const std::size_t count : {1U, 63U, 64U, 65U, 128U, 4096U}) {
    AtomicBits bits(count);
    bits.set(0, count);
    bits.reset(0, count);
    EXPECT_FALSE(bits.any()) << count;
    EXPECT_EQ(bits.claim(0, count), count);
    EXPECT_EQ(rowsOf(bits), (Rows{{0, count}}));
  }
}

TEST(AtomicBitsTest, AClaimThatMeetsAnotherSetsNothing) {
  for (const std::size_t taken : {60U, 63U, 64U, 127U, 128U, 199U}) {
    AtomicBits bits(200);
    EXPECT_EQ(bits.claim(taken, taken + 1), taken + 1);
    EXPECT_EQ(bits.claim(60, 200), taken);
    EXPECT_EQ(rowsOf(bits), (Rows{{taken, taken + 1}}));
  }
}

TEST(AtomicBitsTest, OfThreadsThatClaimOneBitOneHasIt) {
  constexpr std::size_t kCount = 1000, kThreads = 3;
  AtomicBits bits(kCount);
  std::vector<std::size_t> claims(kThreads, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kCount; ++i) claims[t] += bits.claim(i, i + 1) == i + 1;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(claims[0] + claims[1] + claims[2], kCount);
  EXPECT_EQ(rowsOf(bits), (Rows{{0, kCount}}));
}

}  // namespace
}  // namespace ucxx::core::test
