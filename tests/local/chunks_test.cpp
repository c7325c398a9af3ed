// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/chunks.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::local::test {
namespace {

constexpr std::uint16_t kRound = 7;

class ChunksTest : public testing::Test {
 protected:
  ChunksTest() { owner_.lend(memory_, kRound); }
  ChunkHelper helper(std::uint32_t chunks = 4) { return {memory_, kRound, chunks}; }

  ChunkMemory memory_{};
  ChunkOwner owner_{4};
};

TEST(ChunkOwnerTest, AloneTakesAllFromTheFront) {
  ChunkOwner owner(3);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(owner.take(), i);
  EXPECT_EQ(owner.take(), std::nullopt);
  EXPECT_TRUE(owner.isHelperIdle());
  EXPECT_FALSE(owner.reclaim());
}

TEST_F(ChunksTest, HelperTakesFromTheBackAndTheyMeet) {
  ChunkHelper other = helper();
  EXPECT_EQ(owner_.take(), 0u);
  EXPECT_EQ(other.take(), 3u);
  EXPECT_EQ(other.take(), 2u);
  EXPECT_EQ(owner_.take(), 1u);
  EXPECT_EQ(owner_.take(), std::nullopt);
  EXPECT_EQ(other.take(), std::nullopt);
  EXPECT_FALSE(owner_.isHelperIdle());
  other.done();
  EXPECT_TRUE(owner_.isHelperIdle());
  EXPECT_FALSE(owner_.reclaim());
  EXPECT_FALSE(owner_.isBroken());
}

TEST_F(ChunksTest, AHelperThatIsToDoAllDoesOrGivesUp) {
  ChunkHelper other = helper();
  EXPECT_FALSE(owner_.isHelperThrough());
  for (int i = 0; i < 4; ++i) {
    other.take();
    other.done();
  }
  EXPECT_TRUE(owner_.isHelperThrough());
  ASSERT_TRUE(owner_.isHelperIdle());
  EXPECT_TRUE(owner_.hasHelperDoneAll());
}

TEST_F(ChunksTest, AHelperThatGivesUpHasNotDoneAll) {
  ChunkHelper other = helper();
  other.take();
  other.fail();
  EXPECT_TRUE(owner_.isHelperThrough());
  ASSERT_TRUE(owner_.isHelperIdle());
  EXPECT_FALSE(owner_.hasHelperDoneAll());
}

TEST_F(ChunksTest, AHelperThatSaysSoWithoutTakingAnyHasNotDoneAll) {
  for (const std::uint64_t done : {std::uint64_t{4}, std::uint64_t{1} << 24}) {
    memory_.done = std::uint64_t{kRound} << 48 | done;
    (void)owner_.isHelperThrough();
    (void)owner_.isHelperIdle();
    EXPECT_FALSE(owner_.hasHelperDoneAll());
  }
}

TEST_F(ChunksTest, WhatTheHelperFailedAtComesBack) {
  ChunkHelper other = helper();
  EXPECT_EQ(other.take(), 3u);
  other.done();
  EXPECT_EQ(other.take(), 2u);
  other.fail();
  EXPECT_EQ(other.take(), std::nullopt);
  EXPECT_EQ(owner_.take(), 0u);
  EXPECT_EQ(owner_.take(), 1u);
  EXPECT_EQ(owner_.take(), std::nullopt);
  ASSERT_TRUE(owner_.isHelperIdle());
  ASSERT_TRUE(owner_.reclaim());
  EXPECT_EQ(owner_.take(), 2u);
  EXPECT_EQ(owner_.take(), std::nullopt);
  EXPECT_TRUE(owner_.isHelperIdle());
}

TEST_F(ChunksTest, NothingIsTakenAfterARevoke) {
  ChunkHelper other = helper();
  EXPECT_EQ(other.take(), 3u);
  owner_.revoke();
  EXPECT_EQ(other.take(), std::nullopt);
  EXPECT_EQ(owner_.take(), std::nullopt);
  EXPECT_FALSE(owner_.isHelperIdle()) << "it may still write";
  other.done();
  EXPECT_TRUE(owner_.isHelperIdle());
}

TEST_F(ChunksTest, AHelperOfAnEarlierRoundTakesNothing) {
  ChunkHelper late = helper();
  owner_.revoke();
  ChunkOwner next(4);
  next.lend(memory_, kRound + 1);
  EXPECT_EQ(late.take(), std::nullopt);
  EXPECT_EQ(next.take(), 0u);
}

TEST_F(ChunksTest, WhatWasDoneWhenTheRoundCameLastDoesNotCount) {
  ChunkHelper before = helper();
  EXPECT_EQ(before.take(), 3u);
  before.done();
  owner_.revoke();
  ASSERT_TRUE(owner_.isHelperIdle());
  ChunkOwner next(4);
  next.lend(memory_, kRound);  // after 65,534 others, with none of which anybody helped
  ChunkHelper now = helper();
  EXPECT_EQ(now.take(), 3u);
  next.revoke();
  EXPECT_FALSE(next.isHelperIdle()) << "it may still write";
  now.done();
  EXPECT_TRUE(next.isHelperIdle());
}

TEST_F(ChunksTest, NonsenseOfAHelperIsSeen) {
  memory_.claims.store(~std::uint64_t{0});
  EXPECT_EQ(owner_.take(), std::nullopt);
  EXPECT_TRUE(owner_.isBroken());
}

TEST_F(ChunksTest, MoreDoneThanTakenIsNonsense) {
  ChunkHelper other = helper();
  EXPECT_EQ(other.take(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(owner_.take(), i);
  EXPECT_EQ(owner_.take(), std::nullopt);
  memory_.done.store(std::uint64_t{kRound} << 48 | 2);
  EXPECT_FALSE(owner_.isHelperIdle());
  EXPECT_TRUE(owner_.isBroken());
}

TEST_F(ChunksTest, NothingComesBackBehindNonsense) {
  ChunkHelper other = helper();
  EXPECT_EQ(other.take(), 3u);
  EXPECT_EQ(owner_.take(), 0u);
  memory_.claims.store(~std::uint64_t{0});
  EXPECT_EQ(owner_.take(), std::nullopt);
  EXPECT_FALSE(owner_.reclaim());
  EXPECT_EQ(owner_.take(), std::nullopt);
}

TEST_F(ChunksTest, NonsenseOfAnOwnerGivesAHelperNothing) {
  ChunkHelper other = helper(2);  // it was told of fewer
  EXPECT_EQ(other.take(), std::nullopt);
  memory_.claims.store(std::uint64_t{kRound} << 48 | std::uint64_t{5} << 24 | 4);
  EXPECT_EQ(helper().take(), std::nullopt);
}

TEST(ChunksThreadTest, EachChunkIsTakenOnce) {
  constexpr std::uint32_t kChunks = 1000;
  constexpr std::uint16_t kRounds = 100;
  ChunkMemory memory{};
  std::atomic<std::uint16_t> lent{0}, left{0};
  std::vector<int> helped(kChunks);
  std::thread other([&] {
    for (std::uint16_t round = 1; round <= kRounds; ++round) {
      while (lent.load() != round) std::this_thread::yield();
      ChunkHelper helper(memory, round, kChunks);
      while (const auto chunk = helper.take()) {
        helped[*chunk] = round;
        helper.done();
      }
      left.store(round);
    }
  });
  for (std::uint16_t round = 1; round <= kRounds; ++round) {
    ChunkOwner owner(kChunks);
    owner.lend(memory, round);
    lent.store(round);
    std::vector<bool> own(kChunks);
    while (const auto chunk = owner.take()) own[*chunk] = true;
    while (!owner.isHelperIdle()) std::this_thread::yield();
    EXPECT_FALSE(owner.isBroken());
    for (std::uint32_t i = 0; i < kChunks; ++i) ASSERT_NE(own[i], helped[i] == round) << i;
    while (left.load() != round) std::this_thread::yield();
  }
  other.join();
}

}  // namespace
}  // namespace ucxx::local::test
