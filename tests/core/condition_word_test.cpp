// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Conditions that another agent triggers by a plain store, as a device does: nobody rings, and what
// was written before the store is seen by whoever sends it.

#include "core/condition/armed.h"
#include "core/condition/posting.h"
#include "core/condition/triggered_condition.h"
#include "core/conditional.h"
#include "core/fixtures.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<Request> makeFlush(const Ends& ends) {
  auto request = makeRequest<RequestFlush>(ends.left_worker, OperationKind::Flush);
  request->operation().endpoint = &ends.left->state();
  return request;
}

/// One that waits for the word of a condition.
std::shared_ptr<Request> flushWith(const std::shared_ptr<TriggeredCondition>& condition,
                                   const Ends& ends) {
  auto request = makeFlush(ends);
  condition->post(ends.left_worker->loop(), request->operation());
  return request;
}

/// A post with it comes in two halves, as those of other threads may.
class HalvedCondition final : public TriggeredCondition {
 public:
  HalvedCondition() : TriggeredCondition(ConditionKind::Kernel, {}) {}
  std::unique_ptr<Armed> beginPost(const Loop& loop, Operation& op) {
    const std::lock_guard lock(mutex_);
    return prepare(loop, op);
  }
  void endPost(Loop& loop, std::unique_ptr<Armed> armed) {
    Operation& op = armed->op;
    {
      const std::lock_guard lock(mutex_);
      take(loop, std::move(armed));
    }
    submitArmed(loop, op);
  }
};

void store(const TriggeredCondition& condition, std::uint64_t epoch) {
  condition.words().trigger().store(condition.words().base() + epoch, std::memory_order_release);
}

class ConditionWordTest : public testing::TestWithParam<Mode> {
 protected:
  static std::shared_ptr<TriggeredCondition> make(bool repeat) {
    ConditionOptions options;
    options.repeat = repeat;
    return std::make_shared<TriggeredCondition>(ConditionKind::Kernel, options);
  }
  Ends ends_{Route::Address, GetParam()};
};

TEST_P(ConditionWordTest, AStoreStartsIt) {
  const auto condition = make(false);
  const auto request = flushWith(condition, ends_);
  EXPECT_FALSE(ends_.ended({ends_.left->flush()}) && request->isCompleted());
  store(*condition, 1);
  ASSERT_TRUE(ends_.ended({request}));
  ASSERT_TRUE(ends_.until([&] { return condition->epoch() == 1; }));
}

TEST_P(ConditionWordTest, ASleeperLooksNowAndThen) {
  const auto condition = make(true);
  const auto request = flushWith(condition, ends_);
  for (std::uint64_t epoch = 1; epoch <= 20; ++epoch) {
    std::this_thread::sleep_for(epoch * 1ms);  // of different lengths: it sleeps, or is about to
    store(*condition, epoch);
    ASSERT_TRUE(ends_.until([&] { return condition->epoch() == epoch; })) << epoch;
  }
  condition->close();
  ASSERT_TRUE(ends_.ended({request}));
}

TEST_P(ConditionWordTest, SeveralTriggersInOneStore) {
  const auto condition = make(true);
  const auto request = flushWith(condition, ends_);
  ASSERT_TRUE(ends_.ended({ends_.left->flush()}));
  store(*condition, 3);  // three at once
  ASSERT_TRUE(ends_.until([&] { return condition->epoch() == 3; }));
  condition->close();
  ASSERT_TRUE(ends_.ended({request}));
}

/// A kernel writes late what it has read before: the number of a condition that has gone.
TEST_P(ConditionWordTest, AWordBelowItsBaseStartsNothing) {
  const auto condition = make(true), other = make(true);
  const Requests requests{flushWith(condition, ends_), flushWith(other, ends_)};
  store(*condition, std::uint64_t{0} - 1);
  for (std::uint64_t epoch = 1; epoch <= 2; ++epoch) {  // then its word has been looked at
    store(*other, epoch);
    ASSERT_TRUE(ends_.until([&] { return other->epoch() == epoch; }));
  }
  EXPECT_EQ(condition->epoch(), 0u);
  store(*condition, 1);
  ASSERT_TRUE(ends_.until([&] { return condition->epoch() != 0; }));
  condition->close();
  other->close();
  ASSERT_TRUE(ends_.ended(requests));
  EXPECT_EQ(condition->epoch(), 1u);
}

/// The place of a stream stays watched until the stream has come to it.
TEST_P(ConditionWordTest, AWordOfAStreamBelowItsBaseIsStillAwaited) {
  const auto condition =
      std::make_shared<TriggeredCondition>(ConditionKind::Stream, ConditionOptions{}, 7);
  const auto other = make(true);
  const Requests requests{flushWith(condition, ends_), flushWith(other, ends_)};
  store(*condition, std::uint64_t{0} - 1);
  for (std::uint64_t epoch = 1; epoch <= 100; ++epoch) {  // rounds enough to look at all places
    store(*other, epoch);
    ASSERT_TRUE(ends_.until([&] { return other->epoch() == epoch; }));
  }
  EXPECT_FALSE(requests[0]->isCompleted());
  store(*condition, 1);
  ASSERT_TRUE(ends_.until([&] { return condition->epoch() == 1; }));
  other->close();
  ASSERT_TRUE(ends_.ended(requests));
}

TEST_P(ConditionWordTest, APostThatComesAfterTheOnlyEpochFails) {
  const auto condition = std::make_shared<HalvedCondition>();
  Loop& loop = ends_.left_worker->loop();
  const auto first = flushWith(condition, ends_), late = makeFlush(ends_);
  auto half = condition->beginPost(loop, late->operation());
  store(*condition, 1);
  ASSERT_TRUE(ends_.until([&] { return condition->epoch() == 1; }));
  condition->endPost(loop, std::move(half));
  ASSERT_TRUE(ends_.ended({first, late}));
  EXPECT_EQ(late->getStatus(), UCS_ERR_INVALID_PARAM);
}

/// A payload that is written before the word is whole in the message, each time.
TEST_P(ConditionWordTest, DataIsThereBeforeTheWord) {
  constexpr std::uint64_t kTimes = 2000;
  const auto condition = make(true);
  std::uint64_t payload[32] = {};
  auto request = makeRequest<RequestTag>(ends_.left, OperationKind::TagSend);
  Operation& op = request->operation();
  op.endpoint = &ends_.left->state();
  op.buffer = payload;
  op.length = sizeof payload;
  op.tag = kConditionalTag;
  condition->post(ends_.left_worker->loop(), op);
  std::thread device([&] {
    for (std::uint64_t epoch = 1; epoch <= kTimes; ++epoch) {
      while (condition->epoch() != epoch - 1) std::this_thread::yield();
      for (std::uint64_t& word : payload) word = epoch;
      store(*condition, epoch);
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t epoch = 1; epoch <= kTimes && !HasFailure(); ++epoch) {
    std::uint64_t received[32] = {};
    EXPECT_TRUE(ends_.ended(
        {ends_.right->tagRecv(received, sizeof received, kConditionalTag, TagMaskFull)}));
    for (const std::uint64_t word : received) wrong += word != epoch;
  }
  device.join();
  EXPECT_EQ(wrong, 0u);
  condition->close();
  ASSERT_TRUE(ends_.ended({request}));
}

INSTANTIATE_TEST_SUITE_P(All, ConditionWordTest, testing::ValuesIn(kModes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
