// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Which way payloads come, where the clock is ours.

#include "core/bulk_choice.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>

#include <gtest/gtest.h>

#include "local/choices.h"
#include "sim/world.h"

namespace ucxx::sim {
namespace {

using core::FetchWay;
namespace choices = local::choices;

constexpr std::size_t kStep = 16 << 10;

/// Payloads of which some are under way at a time, with a speed for each way.
class Traffic {
 public:
  Traffic(std::size_t under_way, std::size_t size) : under_way_(under_way), size_(size) {}

  /// One more begins; before, as many end as must.
  FetchWay next() {
    while (fetches_.size() >= under_way_) step();
    const FetchWay way = choice_.choose(size_, sender_is_there);
    fetches_.push_back({way, size_, choice_.begins(size_)});
    return way;
  }
  /// How many of the next `payloads` are copied.
  std::size_t copiesOf(std::size_t payloads) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < payloads; ++i)
      if (next() == FetchWay::Copied) ++count;
    return count;
  }
  /// The oldest ends early.
  void revoke() {
    choice_.ends(size_, fetches_.front().epoch, false);
    fetches_.pop_front();
  }

  base::Duration copied = std::chrono::microseconds(1);  // of a byte
  base::Duration in_pieces = std::chrono::microseconds(1);
  bool sender_is_there = true;
  bool take_turns = false;  // else one after the other

 private:
  struct Fetch {
    FetchWay way;
    std::size_t left;
    std::uint32_t epoch;
  };

  void step() {
    Fetch fetch = fetches_.front();
    fetches_.pop_front();
    const std::size_t came = std::min(kStep, fetch.left);
    world_.pass((fetch.way == FetchWay::Copied ? copied : in_pieces) * came);
    choice_.came(came);
    fetch.left -= came;
    if (fetch.left == 0)
      choice_.ends(size_, fetch.epoch, true);
    else if (take_turns)
      fetches_.push_back(fetch);
    else
      fetches_.push_front(fetch);
  }

  World world_{1, Manners{}};
  const std::size_t under_way_;
  const std::size_t size_;
  core::BulkChoice choice_;
  std::deque<Fetch> fetches_;
};

struct Case {
  std::size_t under_way;
  std::size_t size;
  bool take_turns;
};

class BulkChoiceTest : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::size_t kMany = 10000;
  /// All but what trials take.
  static constexpr std::size_t kMost = kMany * 9 / 10;

  BulkChoiceTest() { traffic_.take_turns = GetParam().take_turns; }
  void expectCopies() { EXPECT_GE(traffic_.copiesOf(kMany), kMost); }
  void expectPieces() { EXPECT_LE(traffic_.copiesOf(kMany), kMany - kMost); }

  Traffic traffic_{GetParam().under_way, GetParam().size};
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::size_t under_way : {1, 2, 8, 32})
    for (const std::size_t size : {20 << 10, 256 << 10, 1 << 20})
      for (const bool take_turns : {false, true})
        if (under_way != 1 || !take_turns) all.push_back({under_way, size, take_turns});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, BulkChoiceTest, testing::ValuesIn(cases()), [](const auto& info) {
  const Case& one = info.param;
  return std::to_string(one.size >> 10) + "KiBx" + std::to_string(one.under_way) +
         (one.take_turns ? "InTurn" : "");
});

TEST_P(BulkChoiceTest, TheFirstAreCopied) {
  EXPECT_EQ(traffic_.copiesOf(choices::kPayloadsToFirstTrial), choices::kPayloadsToFirstTrial);
}

TEST_P(BulkChoiceTest, CopiesThatAreFasterStay) {
  traffic_.in_pieces *= 3;
  traffic_.copiesOf(kMany);
  expectCopies();
}

TEST_P(BulkChoiceTest, AFasterRingIsFound) {
  traffic_.copied *= 3;
  traffic_.copiesOf(choices::kPayloadsToTrial);
  expectPieces();
}

TEST_P(BulkChoiceTest, ARingThatBecomesSlowIsLeftAndFoundAgain) {
  traffic_.copied *= 3;
  traffic_.copiesOf(kMany);
  traffic_.in_pieces *= 30;
  traffic_.copiesOf(GetParam().under_way + 8);
  expectCopies();
  traffic_.in_pieces /= 30;
  traffic_.copiesOf(choices::kMostPayloadsToTrial * 2);
  expectPieces();
}

// Pieces need it: one payload that comes in them would wait as long as it computes.
TEST_P(BulkChoiceTest, NothingIsTriedWithASenderThatIsNotThere) {
  traffic_.copied *= 3;
  traffic_.sender_is_there = false;
  EXPECT_EQ(traffic_.copiesOf(kMany), kMany);
  traffic_.sender_is_there = true;
  traffic_.copiesOf(choices::kPayloadsToTrial);
  expectPieces();
}

TEST_P(BulkChoiceTest, ATrialEndsWithoutItsSender) {
  traffic_.in_pieces *= 1000;
  traffic_.copiesOf(choices::kPayloadsToFirstTrial);
  while (traffic_.next() == FetchWay::Copied) {
  }
  const std::size_t most = GetParam().under_way;  // before one of the trial begins to move
  EXPECT_GE(traffic_.copiesOf(choices::kPayloadsToTrial), choices::kPayloadsToTrial - most);
}

TEST_P(BulkChoiceTest, ASenderThatStopsIsWaitedForOnce) {
  traffic_.copied *= 3;
  traffic_.copiesOf(kMany);
  traffic_.in_pieces *= 100'000;
  const std::size_t waits = 1 + 4;  // until it is known, and in each trial
  EXPECT_GE(traffic_.copiesOf(kMany), kMany - waits * (GetParam().under_way + 8));
}

/// Then its receiver copies alone.
TEST_P(BulkChoiceTest, ASenderThatLeavesOffHelpingIsNotTried) {
  traffic_.copiesOf(kMany);
  traffic_.in_pieces = traffic_.copied * 3 / 2;
  traffic_.copiesOf(kMany);
  traffic_.sender_is_there = false;
  traffic_.copied *= 2;
  traffic_.copiesOf(2 * GetParam().under_way + 100);  // of a trial that goes on
  EXPECT_EQ(traffic_.copiesOf(kMany), kMany);
}

TEST_P(BulkChoiceTest, OneLongWaitIsForgotten) {
  traffic_.in_pieces *= 3;
  traffic_.copiesOf(kMany);
  traffic_.copied *= 1000;
  traffic_.next();
  traffic_.next();
  traffic_.copied /= 1000;
  expectCopies();
}

TEST_P(BulkChoiceTest, WhatEndsEarlySaysNothing) {
  traffic_.in_pieces *= 3;
  for (int i = 0; i < 1000; ++i) {
    traffic_.next();
    traffic_.revoke();
  }
  expectCopies();
}

// One trial would take a second through a slow ring.
TEST(BulkChoiceLimitTest, NothingIsTriedWhileMuchIsUnderWay) {
  constexpr std::size_t kLarge = 16 << 20;
  Traffic many(4, kLarge);
  EXPECT_EQ(many.copiesOf(1000), 1000u);
}

TEST(BulkChoiceLimitTest, OneAloneIsTriedHoweverLarge) {
  constexpr std::size_t kLarge = 64 << 20;
  Traffic one(1, kLarge);
  one.copied *= 3;
  EXPECT_LE(one.copiesOf(1000), 20u);
}

TEST(BulkChoiceLimitTest, TheSizesMayChange) {
  World world(1, Manners{});
  core::BulkChoice choice;
  std::size_t in_pieces = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::size_t size = i % 2 == 0 ? 64 << 10 : 4 << 20;
    const FetchWay way = choice.choose(size, true);
    const std::uint32_t epoch = choice.begins(size);
    world.pass(std::chrono::microseconds(100 + (size >> (way == FetchWay::Copied ? 8 : 10))));
    choice.came(size);
    choice.ends(size, epoch, true);
    if (way == FetchWay::InPieces) ++in_pieces;
  }
  EXPECT_GE(in_pieces, 900u);
}

}  // namespace
}  // namespace ucxx::sim
