// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What ends with the endpoint, also while a repetition is under way, and what a close counts as
// lost.

#include "core/conditional.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

class ConditionEndTest : public testing::TestWithParam<Route> {
 protected:
  ~ConditionEndTest() override { ends_.leave(); }
  template <class Builder>
  static std::shared_ptr<Request> with(const Condition& condition, Builder builder) {
    return std::move(builder).condition(condition).build();
  }
  std::shared_ptr<Request> sendSync(const Condition& condition) {
    return with(condition,
                ends_.left->tagSendBuilder(&out_, sizeof out_, kConditionalTag).synchronous());
  }
  std::shared_ptr<Request> receive() {
    return ends_.right_worker->tagRecv(&in_, sizeof in_, kConditionalTag);
  }

  int out_ = 3, in_ = 0;
  Ends ends_{GetParam()};
};

/// The repetition ends with success, and no other begins.
TEST_P(ConditionEndTest, CloseEndsARepeatingOneWithItsRepetition) {
  const auto condition = Condition::host(repeating());
  const auto request = sendSync(condition);
  condition.trigger();
  condition.trigger();
  const auto closing = ends_.left->close();
  ASSERT_TRUE(ends_.ended({receive(), closing, request})) << ends_.left_worker->describe();
  EXPECT_EQ(closing->getStatus(), UCS_OK);  // nothing was lost
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(in_, 3);
  EXPECT_EQ(ends_.left_worker->stats().armed_requests, 0u);
}

TEST_P(ConditionEndTest, WhatNeverStartedIsNotLost) {
  const auto condition = Condition::host();
  const auto request = sendSync(condition);
  const auto closing = ends_.left->close();
  ASSERT_TRUE(ends_.ended({closing, request}));
  EXPECT_EQ(closing->getStatus(), UCS_OK);
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(ConditionEndTest, CancelInflightReachesRepetitions) {
  const auto condition = Condition::host(repeating());
  const auto request =
      with(condition, ends_.left->tagRecvBuilder(&in_, sizeof in_, kConditionalTag));
  condition.trigger();
  (void)ends_.left->cancelInflightRequests();
  ASSERT_TRUE(ends_.ended({request})) << ends_.left_worker->describe();
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(ends_.left->getCancelingSize(), 0u);
}

/// Callbacks of what ends start others of the same list, which is gone through to its end.
TEST_P(ConditionEndTest, CancelReachesThoseAfterOneThatACallbackStarts) {
  const auto first = Condition::host(), second = Condition::host(), third = Condition::host();
  const auto one =
      with(first, ends_.left->tagRecvBuilder(&in_, sizeof in_, kConditionalTag)
                      .callbackFunction([&](ucs_status_t, const auto&) { second.trigger(); }));
  const auto two = with(second, ends_.left->tagRecvBuilder(&in_, sizeof in_, kConditionalTag));
  const auto three = with(third, ends_.left->tagRecvBuilder(&in_, sizeof in_, kConditionalTag));
  (void)ends_.left->cancelInflightRequests();
  ASSERT_TRUE(ends_.ended({one, three}));
  two->cancel();
  ASSERT_TRUE(ends_.ended({two}));
}

/// Its callback ends the close that it is ended by.
TEST_P(ConditionEndTest, CallbacksMayCancelTheClose) {
  const auto condition = Condition::host();
  std::shared_ptr<Request> closing;
  const auto request = with(condition, ends_.left->tagRecvBuilder(&in_, sizeof in_, kConditionalTag)
                                           .callbackFunction([&](ucs_status_t, const auto&) {
                                             if (closing != nullptr) closing->cancel();
                                           }));
  (void)ends_.left->tagSendSync(&out_, sizeof out_, kConditionalTag);  // holds the close up
  closing = ends_.left->close();
  ASSERT_TRUE(ends_.ended({request, receive(), closing}));
}

TEST_P(ConditionEndTest, ADroppedEndpointEndsThem) {
  const auto condition = Condition::host(repeating());
  std::atomic<int> ended{0};
  const auto at_end = [&](ucs_status_t status, const std::shared_ptr<void>&) {
    ended += status == UCS_ERR_CANCELED ? 1 : 100;
  };
  (void)with(
      condition,
      ends_.left->tagRecvBuilder(&in_, sizeof in_, kConditionalTag).callbackFunction(at_end));
  condition.trigger();
  const auto worker = ends_.left_worker;
  if (ends_.isSelf()) ends_.right = nullptr;
  ends_.left = nullptr;
  ASSERT_TRUE(ends_.until([&] { return ended == 1; })) << worker->describe();
}

TEST_P(ConditionEndTest, TellsWhatARepetitionHasReceived) {
  const auto condition = Condition::host(repeating());
  char room[8];
  const auto request =
      with(condition, ends_.left->tagRecvBuilder(room, sizeof room, kConditionalTag));
  std::uint64_t epoch = 0;
  for (const std::size_t size : {3, 8, 0}) {
    condition.trigger();
    ++epoch;
    ASSERT_TRUE(ends_.ended({ends_.right->tagSend("12345678", size, kConditionalTag)}));
    ASSERT_TRUE(ends_.until([&] { return condition.epoch() == epoch; }));
    EXPECT_EQ(request->getReceivedLength(), size);
    EXPECT_EQ(request->getSenderTag(), kConditionalTag);
  }
  EXPECT_FALSE(request->giveBack());
}

/// It waits for a receive, and is taken back.
TEST_P(ConditionEndTest, ASendThatNobodyTakesTimesOut) {
  ConditionOptions options;
  options.transfer_timeout = 20ms;
  const auto condition = Condition::host(options);
  const auto request = sendSync(condition);
  condition.trigger();
  ASSERT_TRUE(ends_.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_TIMED_OUT);
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_TIMED_OUT);
}

INSTANTIATE_TEST_SUITE_P(All, ConditionEndTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
