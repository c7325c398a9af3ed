// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Several plans that one post starts, and starts that end when the iteration has begun.

#include "core/prepared_group.h"

#include <gmock/gmock.h>

namespace ucxx::core::test {
namespace {

using testing::HasSubstr;

TEST_P(PreparedGroupTest, OneTriggerStartsAll) {
  prepare();
  for (const auto& receive : receives_) receive->start();
  const Condition filled = Condition::host();
  ucs_status_t told = UCS_INPROGRESS;
  const auto started =
      startAll(filled, sends(), StartUntil::Ended,
               [&](ucs_status_t status, const std::shared_ptr<void>&) { told = status; });
  ASSERT_TRUE(areArmed(1));
  fill(1);
  EXPECT_EQ(sends_[0]->iterations(), 0u);
  filled.trigger();
  ASSERT_TRUE(ends_.ended({started}));
  EXPECT_EQ(started->getStatus(), UCS_OK);
  EXPECT_EQ(told, UCS_OK);
  ASSERT_TRUE(areDone(1));
  EXPECT_TRUE(have(1));
  ASSERT_TRUE(ends_.until([&] { return filled.epoch() == 1; }));
}

TEST_P(PreparedGroupTest, ItEndsWithTheLastIteration) {
  prepare();
  const Condition now = Condition::host();
  const auto started = startAll(now, receives());
  now.trigger();
  ASSERT_TRUE(haveBegun(receives(), 1));
  fill(2);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_FALSE(started->isCompleted());
    sends_[i]->start();
    ASSERT_TRUE(ends_.until([&] { return receives_[i]->isCompleted(); }));
  }
  ASSERT_TRUE(ends_.ended({started}));
  EXPECT_TRUE(have(2));
}

TEST_P(PreparedGroupTest, UntilBegunItEndsWhenAllHaveBegun) {
  prepare(kParts);
  const Condition now = Condition::host();
  receives_[0]->start();  // its next iteration waits
  const auto started = startAll(now, receives(), StartUntil::Begun);
  now.trigger();
  ASSERT_TRUE(haveBegun({receives_[1], receives_[2]}, 1));
  EXPECT_FALSE(started->isCompleted());
  fill(1);
  startAll(sends());
  readyAll();
  ASSERT_TRUE(ends_.ended({started}));
  EXPECT_EQ(started->getStatus(), UCS_OK);
  EXPECT_EQ(receives_[0]->iterations(), 2u);
  EXPECT_FALSE(receives_[0]->isCompleted());
  ASSERT_TRUE(ends_.until([&] { return sends_[0]->isCompleted(); }));
  sends_[0]->start();
  sends_[0]->ready();
  ASSERT_TRUE(ends_.until([&] { return receives_[0]->isCompleted(); }));
}

/// Its request has ended, so nothing else may hold up the next start.
TEST_P(PreparedGroupTest, AStartUntilBegunIsFollowedByAnyOther) {
  prepare(kParts);
  for (unsigned i = 1; i <= 20; ++i) {
    const Condition now = Condition::host();
    fill(i);
    const auto sent = sends_[0]->start(now, StartUntil::Begun);
    now.trigger();
    ASSERT_TRUE(ends_.ended({sent}));
    EXPECT_EQ(sent->getStatus(), UCS_OK);
    ASSERT_EQ(sends_[0]->iterations(), 2 * i - 1);
    EXPECT_THROW(sends_[0]->start(), InvalidParamError);  // it is in progress
    receives_[0]->start();
    sends_[0]->ready();
    ASSERT_TRUE(
        ends_.until([&] { return sends_[0]->isCompleted() && receives_[0]->isCompleted(); }));
    EXPECT_TRUE(targets_[0]->has(i));
    receives_[0]->start();
    sends_[0]->start();
    sends_[0]->ready();
    ASSERT_TRUE(
        ends_.until([&] { return sends_[0]->isCompleted() && receives_[0]->isCompleted(); }));
  }
}

TEST_P(PreparedGroupTest, ACancelAfterTheBeginChangesNothing) {
  prepare(kParts);
  const Condition now = Condition::host();
  const auto started = startAll(now, sends(), StartUntil::Begun);
  now.trigger();
  ASSERT_TRUE(ends_.ended({started}));
  started->cancel();
  for (const auto& receive : receives_) receive->start();
  fill(3);
  readyAll();
  ASSERT_TRUE(areDone(1));
  EXPECT_TRUE(have(3));
}

TEST_P(PreparedGroupTest, EachTriggerStartsAll) {
  prepare();
  const Condition filled = Condition::host(repeating()), empty = Condition::host(repeating());
  const Requests all{startAll(filled, sends()), startAll(empty, receives(), StartUntil::Begun)};
  for (unsigned i = 1; i <= 20; ++i) {
    fill(i);
    empty.trigger();
    filled.trigger();
    ASSERT_TRUE(areDone(i));
    EXPECT_TRUE(have(i));
  }
  filled.close();
  empty.close();
  ASSERT_TRUE(ends_.ended(all));
  for (const auto& one : all) EXPECT_EQ(one->getStatus(), UCS_OK);
}

/// A start that is triggered before the iteration before has ended waits for that.
TEST_P(PreparedGroupTest, TriggersUntilBegunMayComeAhead) {
  prepare(kParts);
  const Condition start = Condition::host(repeating());
  const auto started = startAll(start, sends(), StartUntil::Begun);
  fill(1);
  for (int i = 0; i < 3; ++i) start.trigger();
  ASSERT_TRUE(ends_.until([&] { return start.epoch() == 1; }));
  for (unsigned i = 1; i <= 3; ++i) {
    ASSERT_TRUE(haveBegun(sends(), i));
    readyAll();
    for (const auto& receive : receives_) receive->start();
    ASSERT_TRUE(ends_.until([&] {
      return receives_[0]->isCompleted() && receives_[1]->isCompleted() &&
             receives_[2]->isCompleted();
    }));
  }
  ASSERT_TRUE(ends_.until([&] { return start.epoch() == 3; }));
  EXPECT_FALSE(started->isCompleted());
}

TEST_P(PreparedGroupTest, EachPlanIsAsAfterAStartOfItsOwn) {
  prepare();
  const Condition now = Condition::host();
  const auto started = startAll(now, receives());
  for (const auto& receive : receives_) EXPECT_THROW(receive->start(), InvalidParamError);
  now.trigger();
  ASSERT_TRUE(haveBegun(receives(), 1));
  const auto own = receives_[0]->request();
  fill(1);
  sends_[0]->start();
  ASSERT_TRUE(ends_.ended({own}));
  EXPECT_FALSE(started->isCompleted());
  ASSERT_TRUE(ends_.until([&] {
    try {
      receives_[0]->start();  // the others are in progress
      return true;
    } catch (const InvalidParamError&) {
      return false;
    }
  }));
  EXPECT_EQ(receives_[0]->iterations(), 2u);
  EXPECT_THROW(receives_[1]->start(), InvalidParamError);
  sends_[1]->start();
  sends_[2]->start();
  ASSERT_TRUE(ends_.ended({started}));
}

TEST_P(PreparedGroupTest, WrongArgumentsPostNothing) {
  prepare();
  const Condition condition = Condition::host();
  const auto said = [&](const Condition& with, const Plans& plans) {
    return messageOf([&] { (void)startAll(with, plans); });
  };
  EXPECT_THAT(said(Condition(), sends()), HasSubstr("startAll: the condition is none"));
  EXPECT_THAT(said(condition, {}), HasSubstr("startAll: there are no plans"));
  EXPECT_THAT(said(condition, {sends_[0], nullptr}), HasSubstr("plan 1 of 2 is null"));
  EXPECT_THAT(said(condition, {sends_[0], sends_[1], sends_[0]}),
              HasSubstr("plan 2 of 3 is plan 0 once more"));
  if (!ends_.isSelf()) {
    EXPECT_THAT(said(condition, {sends_[0], receives_[0]}),
                HasSubstr("plan 1 of 2 is of another worker than plan 0"));
  }
  EXPECT_THROW(condition.trigger(), InvalidParamError);  // nothing was posted
  condition.close();
  EXPECT_THAT(said(condition, sends()), HasSubstr("prepared transfers: its condition is closed"));
  EXPECT_THROW(sends_[0]->start(condition, StartUntil::Begun), InvalidParamError);
  startAll(sends());
  startAll(receives());
  ASSERT_TRUE(areDone(1));
}

INSTANTIATE_TEST_SUITE_P(All, PreparedGroupTest, groupKinds(), nameOfGroup);

}  // namespace
}  // namespace ucxx::core::test
