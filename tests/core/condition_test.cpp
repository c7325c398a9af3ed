// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What conditions promise, and what is wrong to ask of them.

#include <functional>

#include "core/conditional.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

class ConditionTest : public testing::TestWithParam<std::tuple<Route, Mode>> {
 protected:
  std::shared_ptr<Request> send(const Condition& condition, const int& value) {
    return ends_.left->tagSendBuilder(&value, sizeof value, kConditionalTag)
        .condition(condition)
        .build();
  }
  std::shared_ptr<Request> receive(int& value) {
    return ends_.right->tagRecv(&value, sizeof value, kConditionalTag, TagMaskFull);
  }

  Ends ends_{std::get<Route>(GetParam()), std::get<Mode>(GetParam())};
  const int values_[4] = {1, 2, 3, 4};
};

TEST_P(ConditionTest, StartsAllInTheOrderOfTheirPosts) {
  const auto condition = Condition::host();
  Requests sends;
  for (const int& value : values_) sends.push_back(send(condition, value));
  int plain = 7;
  sends.push_back(
      ends_.left->tagSend(&plain, sizeof plain, kConditionalTag));  // overtakes what is armed
  condition.trigger();
  ASSERT_TRUE(ends_.ended(sends));
  for (const int expected : {7, 1, 2, 3, 4}) {
    int value = 0;
    ASSERT_TRUE(ends_.ended({receive(value)}));
    EXPECT_EQ(value, expected);
  }
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1 && condition.isOver(); }));
}

TEST_P(ConditionTest, ManyStartOverSeveralRounds) {
  constexpr std::size_t kMany = 1000;
  const auto condition = Condition::host();
  std::vector<std::size_t> sent(kMany), received(kMany);
  Requests requests;
  for (std::size_t i = 0; i < kMany; ++i) {
    sent[i] = i;
    requests.push_back(ends_.left->tagSendBuilder(&sent[i], sizeof sent[i], kConditionalTag)
                           .condition(condition)
                           .build());
    requests.push_back(
        ends_.right->tagRecv(&received[i], sizeof sent[i], kConditionalTag, TagMaskFull));
  }
  condition.trigger();
  ASSERT_TRUE(ends_.ended(requests));
  EXPECT_EQ(received, sent);
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
}

TEST_P(ConditionTest, FlushAndCloseDoNotWaitForIt) {
  const auto condition = Condition::host();
  const auto request = send(condition, values_[0]);
  ASSERT_TRUE(ends_.ended({ends_.left->flush()}));
  EXPECT_FALSE(request->isCompleted());
  ASSERT_TRUE(ends_.ended({ends_.left->close(), request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  condition.trigger();
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_CANCELED);
}

TEST_P(ConditionTest, CancelEndsOneAndTheOthersStart) {
  const auto condition = Condition::host();
  const auto first = send(condition, values_[0]);
  const auto second = send(condition, values_[1]);
  first->cancel();
  ASSERT_TRUE(ends_.ended({first}));
  EXPECT_EQ(first->getStatus(), UCS_ERR_CANCELED);
  int value = 0;
  condition.trigger();
  ASSERT_TRUE(ends_.ended({second, receive(value)}));
  EXPECT_EQ(value, 2);
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_CANCELED);  // the first error
}

TEST_P(ConditionTest, DroppedBeforeTheTriggerItCancels) {
  auto condition = Condition::host();
  const auto request = send(condition, values_[0]);
  auto other = condition;
  condition = {};
  ASSERT_TRUE(ends_.ended({ends_.left->flush()}));
  EXPECT_FALSE(request->isCompleted());
  other = {};
  ASSERT_TRUE(ends_.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(ends_.left_worker->stats().armed_requests, 0u);
}

TEST_P(ConditionTest, DroppedAfterTheTriggerItGoesOn) {
  auto condition = Condition::host();
  const auto request = send(condition, values_[0]);
  condition.trigger();
  condition = {};
  int value = 0;
  ASSERT_TRUE(ends_.ended({request, receive(value)}));
  EXPECT_EQ(request->getStatus(), UCS_OK);
  EXPECT_EQ(value, 1);
}

TEST_P(ConditionTest, RequestsMayBeDroppedAfterTheirPost) {
  const auto condition = Condition::host();
  (void)send(condition, values_[2]);
  condition.trigger();
  int value = 0;
  ASSERT_TRUE(ends_.ended({receive(value)}));
  EXPECT_EQ(value, 3);
}

TEST_P(ConditionTest, CallbacksMayTriggerAndPost) {
  const auto first = Condition::host();
  const auto second = Condition::host();
  int third = 30;
  std::shared_ptr<Request> posted;
  std::atomic<bool> is_posted{false};
  const auto at_first = [&](ucs_status_t, const std::shared_ptr<void>&) {
    posted = ends_.left->tagSend(&third, sizeof third, kConditionalTag);
    is_posted = true;
    second.trigger();
  };
  const auto one = ends_.left->tagSendBuilder(&values_[0], sizeof(int), kConditionalTag)
                       .callbackFunction(at_first)
                       .condition(first)
                       .build();
  const auto two = send(second, values_[1]);
  first.trigger();
  int values[3] = {};
  ASSERT_TRUE(ends_.ended({one, two, receive(values[0]), receive(values[1]), receive(values[2])}));
  ASSERT_TRUE(ends_.until([&] { return is_posted.load(); }));
  EXPECT_EQ(values[0] + values[1] + values[2], 33);
  ASSERT_TRUE(ends_.until([&] { return second.epoch() == 1; }));
}

TEST_P(ConditionTest, AChainOfTriggersDoesNotExhaustTheStack) {
  std::atomic<int> left{20000};
  std::function<void()> link = [&] {
    const auto condition = Condition::host();
    const auto at_end = [&](ucs_status_t, const std::shared_ptr<void>&) {
      if (--left > 0) link();
    };
    (void)ends_.left->flushBuilder().callbackFunction(at_end).condition(condition).build();
    condition.trigger();
  };
  link();
  ASSERT_TRUE(ends_.until([&] { return left == 0; }));
}

TEST_P(ConditionTest, TriggersOfARepeatingOneCount) {
  constexpr int kTimes = 300;
  const auto condition = Condition::host(repeating());
  const auto request = send(condition, values_[0]);
  std::thread other([&] {
    for (int i = 0; i < kTimes; ++i) condition.trigger();
  });
  for (int i = 0; i < kTimes; ++i) {
    int value = 0;
    ASSERT_TRUE(ends_.ended({receive(value)}));
    ASSERT_EQ(value, 1);
  }
  other.join();
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == kTimes; }));
  EXPECT_FALSE(request->isCompleted());
  EXPECT_FALSE(condition.isOver());
  condition.close();
  condition.close();
  ASSERT_TRUE(ends_.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_OK);
  ASSERT_TRUE(ends_.until([&] { return condition.isOver(); }));
}

TEST_P(ConditionTest, AFailedRepetitionEndsItsRequest) {
  const auto condition = Condition::host(repeating());
  int small = 0;
  const auto short_one =
      ends_.right->tagRecvBuilder(&small, 2, kConditionalTag).condition(condition).build();
  const auto flush = ends_.right->flushBuilder().condition(condition).build();
  condition.trigger();
  (void)ends_.left->tagSend(&values_[0], sizeof(int), kConditionalTag);
  ASSERT_TRUE(ends_.ended({short_one}));
  EXPECT_EQ(short_one->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_MESSAGE_TRUNCATED);
  condition.trigger();
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 2; }));
  EXPECT_EQ(condition.lastStatus(), UCS_OK);
  EXPECT_FALSE(flush->isCompleted());
}

TEST_P(ConditionTest, CancelOfARepeatingOneEndsWithItsRepetition) {
  const auto condition = Condition::host(repeating());
  int value = 0;
  const auto request = ends_.right->tagRecvBuilder(&value, sizeof value, kConditionalTag)
                           .condition(condition)
                           .build();
  condition.trigger();  // its receive waits for a message
  request->cancel();
  ASSERT_TRUE(ends_.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
}

TEST_P(ConditionTest, WaitSeesTheEnd) {
  const auto condition = Condition::host(repeating());
  ASSERT_TRUE(ends_.ended({ends_.left->flush()}));  // connected: what follows needs no peer
  const auto request = send(condition, values_[0]);
  EXPECT_FALSE(condition.wait(1, 20ms));
  std::thread other([&] {
    condition.trigger();
    condition.trigger();
  });
  EXPECT_TRUE(condition.wait(2, compat::kDeadline));
  other.join();
  condition.close();
  EXPECT_FALSE(condition.wait(3, compat::kDeadline));
  EXPECT_TRUE(condition.wait(2, 0ms));
}

INSTANTIATE_TEST_SUITE_P(All, ConditionTest,
                         testing::Combine(testing::ValuesIn(kRoutes), testing::ValuesIn(kModes)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace ucxx::core::test
