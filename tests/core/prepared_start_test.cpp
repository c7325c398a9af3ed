// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Iterations of prepared transfers that begin, and partitions that become ready, when a condition
// is triggered.

#include <gmock/gmock.h>

#include <ucxx/condition.h>
#include <ucxx/prepared.h>

#include "core/conditional.h"
#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

struct StartKind {
  Route route;
  Owner owner;
  Mode mode;
};

std::string nameOfStartKind(const testing::TestParamInfo<StartKind>& info) {
  return nameOf(info.param.route) + nameOf(info.param.owner) + nameOf(info.param.mode);
}

class PreparedStartTest : public testing::TestWithParam<StartKind> {
 protected:
  static constexpr std::size_t kBytes = 4096;
  static constexpr std::size_t kParts = 4;

  void prepare(std::size_t partitions = 1) {
    send_ = ends_.left->prepareSend(source_.data(), kBytes, Tag{9}, {partitions});
    receive_ = ends_.right->prepareRecv(target_.data(), kBytes, Tag{9}, {partitions});
  }
  /// A send that closes before its receive has found it is none for that.
  void startReceiveThatHasFoundItsSend() {
    receive_->start();
    const auto has_found = [&] { return receive_->describe().ends_with("0 of 4 arrived"); };
    ASSERT_TRUE(ends_.until(has_found)) << receive_->describe();
  }
  bool hasBegun(const Prepared& plan, std::uint64_t iterations) const {
    return ends_.until([&] { return plan.iterations() == iterations; });
  }
  bool isDone(std::uint64_t iteration) const {
    return ends_.until([&] {
      return send_->iterations() == iteration && send_->isCompleted() &&
             receive_->iterations() == iteration && receive_->isCompleted();
    });
  }

  Ends ends_{GetParam().route, GetParam().mode};
  Memory source_{ends_.context, GetParam().owner, kBytes};
  Memory target_{ends_.context, GetParam().owner, kBytes};
  std::shared_ptr<PreparedSend> send_;
  std::shared_ptr<PreparedRecv> receive_;
};

TEST_P(PreparedStartTest, EachTriggerBeginsAnIteration) {
  prepare();
  const Condition filled = Condition::host(repeating()), empty = Condition::host(repeating());
  const auto sent = send_->start(filled);
  const auto received = receive_->start(empty);
  for (unsigned i = 1; i <= 20; ++i) {
    source_.fill(i);
    if (i % 2 == 0) empty.trigger();
    filled.trigger();
    if (i % 2 != 0) empty.trigger();
    ASSERT_TRUE(isDone(i)) << send_->describe() << receive_->describe();
    EXPECT_TRUE(target_.has(i));
    ASSERT_TRUE(ends_.until([&] { return filled.epoch() == i && empty.epoch() == i; }));
  }
  filled.close();
  empty.close();
  ASSERT_TRUE(ends_.ended({sent, received}));
  EXPECT_EQ(sent->getStatus(), UCS_OK);
  EXPECT_EQ(received->getStatus(), UCS_OK);
}

TEST_P(PreparedStartTest, RequestOfOneStartEndsWithItsIteration) {
  prepare();
  const Condition now = Condition::host();
  ucs_status_t told = UCS_INPROGRESS;
  const auto received = receive_->start(
      now, [&](ucs_status_t status, const std::shared_ptr<void>&) { told = status; });
  now.trigger();
  ASSERT_TRUE(hasBegun(*receive_, 1));
  EXPECT_FALSE(received->isCompleted());
  source_.fill(5);
  send_->start();
  ASSERT_TRUE(ends_.ended({received}));
  EXPECT_EQ(told, UCS_OK);
  EXPECT_TRUE(target_.has(5));
}

TEST_P(PreparedStartTest, AStartAwaitsTheIterationBefore) {
  prepare();
  Requests starts;
  for (int i = 0; i < 3; ++i) {
    const Condition now = Condition::host();
    starts.push_back(receive_->start(now));
    now.trigger();
  }
  for (unsigned i = 1; i <= 3; ++i) {
    ASSERT_TRUE(hasBegun(*receive_, i));
    EXPECT_FALSE(starts[i - 1]->isCompleted());
    source_.fill(i);
    send_->start();
    ASSERT_TRUE(ends_.ended({starts[i - 1]}));
    ASSERT_TRUE(ends_.until([&] { return send_->isCompleted(); }));
    EXPECT_TRUE(target_.has(i));
  }
}

TEST_P(PreparedStartTest, PartitionsBecomeReadyByConditions) {
  prepare(kParts);
  const Condition start = Condition::host(repeating()), front = Condition::host(repeating()),
                  back = Condition::host(repeating());
  const Requests all{send_->start(start), send_->ready(front, 0, 2), send_->ready(back, 2, kParts)};
  for (unsigned i = 1; i <= 10; ++i) {
    source_.fill(i);
    receive_->start();
    start.trigger();
    back.trigger();
    ASSERT_TRUE(ends_.until([&] { return receive_->arrived(2) && receive_->arrived(3); }));
    EXPECT_FALSE(receive_->arrived(0) || receive_->arrived(1));
    front.trigger();
    ASSERT_TRUE(isDone(i)) << send_->describe();
    EXPECT_TRUE(target_.has(i));
  }
}

/// They come in the order of the triggers, also when the start has to wait.
TEST_P(PreparedStartTest, PartitionsAwaitTheStartBeforeThem) {
  prepare(kParts);
  Requests all;
  const auto now = [&](const auto& post) {
    const Condition condition = Condition::host();
    all.push_back(post(condition));
    condition.trigger();
  };
  source_.fill(1);
  for (int i = 0; i < 2; ++i) {
    now([&](const Condition& condition) { return send_->start(condition); });
    now([&](const Condition& condition) { return send_->ready(condition, 0, kParts); });
  }
  ASSERT_TRUE(hasBegun(*send_, 1));
  for (unsigned i = 1; i <= 2; ++i) {
    receive_->start();
    ASSERT_TRUE(ends_.until([&] { return receive_->isCompleted(); }));
    EXPECT_TRUE(target_.has(1));
    target_.clear();
  }
  ASSERT_TRUE(ends_.ended(all));
  for (const auto& one : all) EXPECT_EQ(one->getStatus(), UCS_OK);
}

TEST_P(PreparedStartTest, APartitionTwiceReadyEndsThePlan) {
  prepare(kParts);
  const Condition twice = Condition::host(repeating());
  const auto ready = send_->ready(twice, 1, 3);
  startReceiveThatHasFoundItsSend();
  send_->start();
  twice.trigger();
  twice.trigger();
  ASSERT_TRUE(ends_.ended({ready}));
  EXPECT_EQ(ready->getStatus(), UCS_ERR_INVALID_PARAM);
  ASSERT_TRUE(ends_.until([&] { return receive_->isCompleted() && send_->isCompleted(); }));
  EXPECT_EQ(send_->getStatus(), UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(receive_->getStatus(), UCS_ERR_CONNECTION_RESET);
  EXPECT_THAT([&] { send_->checkError(); },
              testing::ThrowsMessage<InvalidParamError>(
                  testing::HasSubstr("partition 1 was made ready in iteration 1")));
}

TEST_P(PreparedStartTest, APartitionWithoutIterationEndsThePlan) {
  prepare(kParts);
  startReceiveThatHasFoundItsSend();
  const Condition early = Condition::host();
  const auto ready = send_->ready(early, 0, 1);
  early.trigger();
  ASSERT_TRUE(ends_.ended({ready}));
  EXPECT_EQ(ready->getStatus(), UCS_ERR_INVALID_PARAM);
  EXPECT_THROW(ready->checkError(), InvalidParamError);
  ASSERT_TRUE(ends_.until([&] { return receive_->isCompleted(); }));
  EXPECT_EQ(receive_->getStatus(), UCS_ERR_CONNECTION_RESET);
}

TEST_P(PreparedStartTest, WrongArgumentsPostNothing) {
  prepare(kParts);
  const Condition condition = Condition::host();
  EXPECT_THROW(send_->start(Condition()), InvalidParamError);
  EXPECT_THROW(send_->ready(Condition(), 0, 1), InvalidParamError);
  EXPECT_THROW(send_->ready(condition, 0, kParts + 1), InvalidParamError);
  EXPECT_THROW(send_->ready(condition, 3, 1), InvalidParamError);
  EXPECT_THROW(condition.trigger(), InvalidParamError);  // nothing was posted
  condition.close();
  EXPECT_THROW(send_->start(condition), InvalidParamError);
  std::byte byte{};
  EXPECT_THROW(ends_.left->prepareSend(&byte, 1, Tag{1}, {1, 0}), InvalidParamError);
  EXPECT_THROW(ends_.right->prepareRecv(&byte, 1, Tag{1}, {1, 2}), InvalidParamError);
}

TEST_P(PreparedStartTest, WhatIsArmedEndsAfterTheCloseOfThePlan) {
  prepare();
  const Condition later = Condition::host();
  const auto start = send_->start(later);
  ASSERT_TRUE(ends_.ended({send_->close()}));
  EXPECT_FALSE(start->isCompleted());
  later.trigger();
  ASSERT_TRUE(ends_.ended({start}));
  EXPECT_EQ(start->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(PreparedStartTest, WhatAwaitsAnIterationEndsWithThePlan) {
  prepare();
  Requests starts;
  for (int i = 0; i < 300; ++i) {
    const Condition now = Condition::host();
    starts.push_back(receive_->start(now));
    now.trigger();
  }
  ASSERT_TRUE(hasBegun(*receive_, 1));
  const auto closed = receive_->close();
  ASSERT_TRUE(ends_.ended(starts));
  ASSERT_TRUE(ends_.ended({closed}));
  for (const auto& start : starts) EXPECT_EQ(start->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(PreparedStartTest, ACancelledStartBeginsNothing) {
  prepare();
  const Condition first = Condition::host(), second = Condition::host(), third = Condition::host();
  const auto armed = receive_->start(third);
  armed->cancel();
  const auto begun = receive_->start(first);
  const auto waiting = receive_->start(second);
  first.trigger();
  second.trigger();
  ASSERT_TRUE(hasBegun(*receive_, 1));
  waiting->cancel();
  ASSERT_TRUE(ends_.ended({armed, waiting}));
  EXPECT_EQ(armed->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(waiting->getStatus(), UCS_ERR_CANCELED);
  send_->start();
  ASSERT_TRUE(ends_.ended({begun}));
  EXPECT_EQ(begun->getStatus(), UCS_OK);
  EXPECT_EQ(receive_->iterations(), 1u);
}

/// What the peer writes into mapped memory is seen without anybody who waits for it.
TEST_P(PreparedStartTest, AStartAwaitsAnIterationThatNobodyWaitsFor) {
  prepare();
  const Condition next = Condition::host();
  source_.fill(1);
  receive_->start();
  const auto second = receive_->start(next);
  next.trigger();
  EXPECT_THROW(receive_->start(), InvalidParamError);
  send_->start();
  ASSERT_TRUE(hasBegun(*receive_, 2));
  EXPECT_TRUE(target_.has(1));
  ASSERT_TRUE(ends_.until([&] { return send_->isCompleted(); }));
  const Condition now = Condition::host();
  const auto sent = send_->start(now);
  now.trigger();
  ASSERT_TRUE(ends_.ended({second, sent}));
  receive_->start();
}

/// Else two starts could begin the same iteration.
TEST_P(PreparedStartTest, StartIsRefusedWhileAnyPostHasNotEnded) {
  prepare();
  const Condition first = Condition::host(), last = Condition::host();
  const auto received = receive_->start(first), cancelled = receive_->start(last);
  cancelled->cancel();
  ASSERT_TRUE(ends_.ended({cancelled}));
  EXPECT_THROW(receive_->start(), InvalidParamError);
  first.trigger();
  ASSERT_TRUE(hasBegun(*receive_, 1));
  EXPECT_THROW(receive_->start(), InvalidParamError);
  source_.fill(1);
  send_->start();
  ASSERT_TRUE(ends_.ended({received}));
  receive_->start();
  ASSERT_TRUE(ends_.until([&] { return send_->isCompleted(); }));
  source_.fill(2);
  send_->start();
  ASSERT_TRUE(isDone(2));
  EXPECT_TRUE(target_.has(2));
}

TEST_P(PreparedStartTest, ACancelDoesNotEndAnIterationThatMoves) {
  prepare();
  const Condition now = Condition::host();
  const auto received = receive_->start(now);
  now.trigger();
  ASSERT_TRUE(hasBegun(*receive_, 1));
  received->cancel();
  source_.fill(3);
  send_->start();
  ASSERT_TRUE(ends_.ended({received}));
  EXPECT_EQ(received->getStatus(), UCS_OK);
  EXPECT_TRUE(target_.has(3));
}

TEST_P(PreparedStartTest, PartitionsOfACancelledStartAreOfNoIteration) {
  prepare(kParts);
  const Condition start = Condition::host(), ready = Condition::host();
  send_->start();
  receive_->start();
  const auto second = send_->start(start);
  const auto parts = send_->ready(ready, 0, kParts);
  const auto areArmed = [&](std::size_t count) {
    return ends_.until([&] { return ends_.left_worker->stats().armed_requests == count; });
  };
  ASSERT_TRUE(areArmed(2));
  start.trigger();
  ready.trigger();
  ASSERT_TRUE(areArmed(0));
  second->cancel();
  ASSERT_TRUE(ends_.ended({second, parts}));
  EXPECT_EQ(parts->getStatus(), UCS_ERR_CANCELED);
  EXPECT_FALSE(receive_->arrived(0));
  source_.fill(4);
  send_->ready();
  ASSERT_TRUE(ends_.until([&] { return send_->isCompleted() && receive_->isCompleted(); }));
  EXPECT_EQ(send_->getStatus(), UCS_OK);
  EXPECT_TRUE(target_.has(4));
}

TEST_P(PreparedStartTest, ARepeatingConditionTellsWhyItHasFailed) {
  prepare(kParts);
  const Condition twice = Condition::host(repeating());
  const auto ready = send_->ready(twice, 1, 3);
  send_->start();
  twice.trigger();
  twice.trigger();
  ASSERT_TRUE(ends_.ended({ready}));
  EXPECT_THAT([&] { ready->checkError(); }, testing::ThrowsMessage<InvalidParamError>(
                                                testing::HasSubstr("partition 1 was made ready")));
}

TEST_P(PreparedStartTest, AStartOfAFailedPlanTellsWhyThePlanHasFailed) {
  prepare();
  startAll({send_, receive_});
  ASSERT_TRUE(isDone(1));
  const Condition once = Condition::host(), always = Condition::host(repeating());
  const Requests starts{receive_->start(once), receive_->start(always)};
  ASSERT_TRUE(ends_.ended({send_->close()}));
  for (const auto& start : starts) EXPECT_FALSE(start->isCompleted());
  once.trigger();
  always.trigger();
  ASSERT_TRUE(ends_.ended(starts));
  for (const auto& start : starts) {
    EXPECT_EQ(start->getStatus(), UCS_ERR_CONNECTION_RESET);
    EXPECT_THAT([&] { start->checkError(); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("the peer has closed its end")));
  }
}

TEST_P(PreparedStartTest, EverythingMayBeDroppedInTheMiddle) {
  prepare(kParts);
  const Condition start = Condition::host(repeating()), ready = Condition::host(repeating());
  (void)send_->start(start);
  (void)send_->ready(ready, 0, kParts);
  startReceiveThatHasFoundItsSend();
  start.trigger();
  ready.trigger();
  send_ = nullptr;
  ASSERT_TRUE(ends_.until([&] { return receive_->isCompleted(); }));
  start.trigger();
  receive_ = nullptr;
  ends_.leave();
}

std::vector<StartKind> startKinds() {
  std::vector<StartKind> kinds;
  for (const Mode mode : {Mode::Caller, Mode::Adaptive}) {
    for (const Route route : {Route::Self, Route::Address}) {
      kinds.push_back({route, Owner::User, mode});
      kinds.push_back({route, Owner::Library, mode});
    }
  }
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(All, PreparedStartTest, testing::ValuesIn(startKinds()), nameOfStartKind);

}  // namespace
}  // namespace ucxx::core::test
