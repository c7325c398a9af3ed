// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// How long a thread looks in vain before it sleeps.

#include "core/loop/patience.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace {

thread_local long preemptions = 0;
thread_local int questions = 0;

}  // namespace

/// Instead of libc's.
extern "C" int getrusage(__rusage_who_t, rusage* usage) noexcept {
  *usage = {};
  usage->ru_nivcsw = preemptions;
  ++questions;
  return 0;
}

namespace ucxx::core {
namespace {

using namespace std::chrono_literals;

constexpr base::Duration kLongest = 200us;

class PatienceTest : public testing::Test {
 protected:
  void SetUp() override {
    preemptions = 0;
    questions = 0;
    (void)overAfter(1ms);  // it asks once
    found();
  }
  /// Time passes, with a look each tenth of a microsecond; when it was over, `limit`: not before.
  base::Duration overAfter(base::Duration limit) {
    const base::TimePoint begin = now_;
    while (now_ - begin < limit && !patience_.isOver(now_, kLongest)) now_ += 100ns;
    return now_ - begin;
  }
  void found() { patience_.begin(); }
  /// How many times it is over at the first look, from now on.
  int sleepsAtOnce() {
    int sleeps = 0;
    for (found(); patience_.isOver(now_, kLongest); found()) ++sleeps;
    found();
    return sleeps;
  }

  Patience patience_;
  base::TimePoint now_ = base::Clock::now();
};

TEST_F(PatienceTest, LastsWhereNobodyWantsTheProcessor) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(overAfter(190us), 190us);
    found();
  }
  EXPECT_EQ(overAfter(1s), kLongest);
}

TEST_F(PatienceTest, AsksTheKernelSeldom) {
  const int before = questions;
  for (int i = 0; i < 100; ++i) {
    (void)overAfter(2us);
    found();
  }
  EXPECT_EQ(questions, before);
  (void)overAfter(1s);
  EXPECT_EQ(questions, before + 1);
}

TEST_F(PatienceTest, EndsSoonBehindAPreemption) {
  ++preemptions;
  EXPECT_LT(overAfter(1s), 10us);
  EXPECT_GE(sleepsAtOnce(), 10);
  EXPECT_EQ(overAfter(190us), 190us);  // it was the only one
}

TEST_F(PatienceTest, LearnsThatPreemptionsGoOn) {
  int sleeps = 0;
  for (int i = 0; i < 20; ++i) {
    ++preemptions;
    found();
    EXPECT_LT(overAfter(1s), 10us);
    sleeps = sleepsAtOnce();
  }
  EXPECT_GT(sleeps, 1000);
  EXPECT_LT(sleeps, 2000);  // it tries again
  for (int i = 0; i < 10; ++i) {
    found();
    EXPECT_EQ(overAfter(190us), 190us);
  }
  ++preemptions;
  found();
  EXPECT_LT(overAfter(1s), 10us);
  EXPECT_LT(sleepsAtOnce(), 100);
}

TEST_F(PatienceTest, LearnsThatAnAnswerIsLate) {
  (void)overAfter(10us);
  found();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(overAfter(1s), kLongest);
  EXPECT_EQ(sleepsAtOnce(), 0);
  int sleeps = 0;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(overAfter(1s), kLongest);
    sleeps = 0;
    while (patience_.isOver(now_, kLongest)) ++sleeps;
  }
  EXPECT_GE(sleeps, 16);
  EXPECT_LE(sleeps, 64);  // it tries again
  EXPECT_EQ(overAfter(10us), 10us);
  found();
  EXPECT_EQ(overAfter(1s), kLongest);
  EXPECT_EQ(sleepsAtOnce(), 0);  // one answer came in time
}

TEST_F(PatienceTest, SlowPeerIsBelievedToNeedTheProcessor) {
  const base::TimePoint begin = now_;
  while (!patience_.isOverForPayload(now_)) now_ += 100ns;
  EXPECT_EQ(now_ - begin, kLongest);
  EXPECT_GE(sleepsAtOnce(), 10);
  EXPECT_FALSE(patience_.isOverForPayload(now_));
}

TEST_F(PatienceTest, AProgramThatLooksRarelyDoesNotSleepAtOnce) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(patience_.isOver(now_, kLongest));
    now_ += 1ms;
  }
}

TEST_F(PatienceTest, WhoPollsStopsOnlyBehindAPreemption) {
  const auto polls = [&](base::Duration limit) {  // by the processor's own clock
    const base::TimePoint end = base::Clock::now() + limit;
    bool over = false;
    while (!over && base::Clock::now() < end) over = patience_.isOverForPolling();
    return over;
  };
  EXPECT_FALSE(polls(5ms));
  ++preemptions;
  EXPECT_TRUE(polls(20s));
  EXPECT_GE(sleepsAtOnce(), 10);
  EXPECT_FALSE(polls(5ms));
}

TEST_F(PatienceTest, NoneIsNone) { EXPECT_TRUE(patience_.isOver(now_, 0us)); }

}  // namespace
}  // namespace ucxx::core
