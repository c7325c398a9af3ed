// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/claims.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::local::test {
namespace {

class ClaimsTest : public testing::Test {
 protected:
  ClaimMemory memory_{};
  Claims claims_;
};

TEST_F(ClaimsTest, WhoeverIsFirstHasTheMessage) {
  const Claim taken = claims_.open(memory_), recalled = claims_.open(memory_);
  EXPECT_NE(taken, recalled);
  EXPECT_TRUE(take(memory_, taken));
  EXPECT_FALSE(Claims::recall(memory_, taken));
  EXPECT_FALSE(isRecalled(memory_, recalled));
  EXPECT_TRUE(Claims::recall(memory_, recalled));
  EXPECT_TRUE(isRecalled(memory_, recalled));
  EXPECT_FALSE(take(memory_, recalled));
}

TEST_F(ClaimsTest, ClosedOnesAreUsedAgain) {
  const Claim first = claims_.open(memory_);
  EXPECT_TRUE(Claims::recall(memory_, first));
  claims_.close(first);
  EXPECT_EQ(claims_.open(memory_), first);
  EXPECT_TRUE(take(memory_, first));
}

TEST_F(ClaimsTest, ARecallSaysWhetherItLeavesAGap) {
  const Claim gap = claims_.open(memory_), none = claims_.open(memory_);
  EXPECT_TRUE(Claims::recall(memory_, gap, Recalled::Gap));
  EXPECT_TRUE(Claims::recall(memory_, none));
  EXPECT_TRUE(leavesGap(memory_, gap));
  EXPECT_FALSE(leavesGap(memory_, none));
  claims_.close(gap);
  ASSERT_EQ(claims_.open(memory_), gap);
  EXPECT_FALSE(leavesGap(memory_, gap));
}

TEST_F(ClaimsTest, ThereAreNoMoreThanFit) {
  std::vector<bool> seen(ClaimMemory::kClaims + 1);
  for (std::uint32_t i = 0; i < ClaimMemory::kClaims; ++i) {
    const Claim claim = claims_.open(memory_);
    ASSERT_TRUE(claim != 0 && claim <= ClaimMemory::kClaims && !seen[claim]);
    seen[claim] = true;
    ASSERT_TRUE(i % 2 == 0 ? take(memory_, claim) : Claims::recall(memory_, claim));
  }
  EXPECT_EQ(claims_.open(memory_), 0u);
  claims_.close(7);
  EXPECT_EQ(claims_.open(memory_), 7u);
}

TEST_F(ClaimsTest, OneOfTwoThreadsHasIt) {
  std::vector<Claim> all;
  for (std::uint32_t i = 0; i < ClaimMemory::kClaims; ++i) all.push_back(claims_.open(memory_));
  std::atomic<int> ready{0};
  std::vector<char> taken(all.size()), recalled(all.size());
  const auto meet = [&] {
    for (++ready; ready != 2;) {
    }
  };
  std::thread receiver([&] {
    meet();
    for (std::size_t i = 0; i < all.size(); ++i) taken[i] = take(memory_, all[i]) ? 1 : 0;
  });
  meet();
  for (std::size_t i = 0; i < all.size(); ++i)
    recalled[i] = Claims::recall(memory_, all[i]) ? 1 : 0;
  receiver.join();
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NE(taken[i], recalled[i]);
}

}  // namespace
}  // namespace ucxx::local::test
