// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The peer of transfers that wait for conditions is a process that is killed, or stopped and then
// killed, while they are in each state that they can be in.

#include "core/condition_peer.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

enum class Death { Kill, StopAndKill };

class ConditionDeathTest : public ConditionPeerTest,
                           public testing::TestWithParam<std::tuple<Mode, Death>> {
 protected:
  ConditionDeathTest() : ConditionPeerTest("with", std::get<Mode>(GetParam())) {}

  void SetUp() override {
    started_receive_.trigger();
    started_send_.trigger();
    repeating_.trigger();
    ended_.trigger();
    at_rest_.trigger();
    at_rest_.trigger();
    ASSERT_TRUE(ended({over_}));
    ASSERT_TRUE(until([&] { return at_rest_.epoch() == 2 && ended_.epoch() == 1; }));
  }
  void expectNothingHasEnded() {
    EXPECT_FALSE(started_receive_.wait(1, 30ms));
    for (const auto& request : lost_) EXPECT_FALSE(request->isCompleted()) << request->describe();
    EXPECT_TRUE(endpoint_->isAlive());
  }
  void kill() {
    if (std::get<Death>(GetParam()) == Death::StopAndKill) {
      process_.signal(SIGSTOP);
      ASSERT_TRUE(hasStopped());
      expectNothingHasEnded();
    }
    process_.signal(SIGKILL);
  }
  static bool isDeath(ucs_status_t status) {
    return status == UCS_ERR_CONNECTION_RESET || status == UCS_ERR_ENDPOINT_TIMEOUT;
  }
  static void expectOver(const Condition& condition, std::uint64_t epoch) {
    EXPECT_EQ(condition.epoch(), epoch);
    EXPECT_TRUE(isDeath(condition.lastStatus())) << condition.lastStatus();
  }
  /// What is triggered now starts nothing, and is told all the same.
  void expectTriggersAreTold() {
    EXPECT_EQ(armed_.epoch(), 0u);
    EXPECT_EQ(armed_.lastStatus(), UCS_INPROGRESS);
    armed_.trigger();
    at_rest_.trigger();
    repeating_.trigger();
    EXPECT_TRUE(armed_.wait(1, compat::kDeadline));
    EXPECT_TRUE(at_rest_.wait(3, compat::kDeadline));
    EXPECT_TRUE(repeating_.wait(2, compat::kDeadline));
    expectOver(armed_, 1);
    EXPECT_EQ(at_rest_.lastStatus(), UCS_OK);
    EXPECT_EQ(repeating_.lastStatus(), UCS_OK);
  }

  const Condition armed_ = Condition::host(), started_receive_ = Condition::host(),
                  started_send_ = Condition::host(), ended_ = Condition::host(),
                  at_rest_ = Condition::host(repeating()),
                  repeating_ = Condition::host(repeating());
  const Requests lost_{send(armed_, 8, kConditionalTag),
                       receive(armed_),
                       receive(started_receive_),
                       send(started_send_, kTakenBytes, kTakenTag),
                       receive(repeating_),
                       send(at_rest_, 8, kConditionalTag)};
  const std::shared_ptr<Request> over_ = send(ended_, 8, kConditionalTag);
};

TEST_P(ConditionDeathTest, EndsAllThatWaitsAndTellsIt) {
  ASSERT_NO_FATAL_FAILURE(kill());
  EXPECT_TRUE(started_receive_.wait(1, compat::kDeadline));  // nobody else moves the worker
  ASSERT_TRUE(ended(lost_)) << server_.worker->describe();
  for (const auto& request : lost_) {
    EXPECT_TRUE(isDeath(request->getStatus())) << request->describe();
    EXPECT_ANY_THROW(request->checkError());
  }
  EXPECT_EQ(over_->getStatus(), UCS_OK);
  ASSERT_TRUE(until([&] { return started_send_.epoch() == 1 && repeating_.epoch() == 1; }));
  for (const Condition* condition : {&started_receive_, &started_send_, &repeating_})
    expectOver(*condition, 1);
  ASSERT_TRUE(until([&] { return started_receive_.isOver() && started_send_.isOver(); }));
  EXPECT_EQ(ended_.epoch(), 1u);
  EXPECT_EQ(ended_.lastStatus(), UCS_OK);
  EXPECT_EQ(at_rest_.epoch(), 2u);
  EXPECT_EQ(at_rest_.lastStatus(), UCS_OK);
  expectTriggersAreTold();
  expectWorkerGoesOn();
}

INSTANTIATE_TEST_SUITE_P(All, ConditionDeathTest,
                         testing::Combine(testing::Values(Mode::Caller, Mode::Event, Mode::Adaptive,
                                                          Mode::Blocking),
                                          testing::Values(Death::Kill, Death::StopAndKill)),
                         [](const auto& info) {
                           const bool stops = std::get<Death>(info.param) == Death::StopAndKill;
                           return nameOf(std::get<Mode>(info.param)) +
                                  (stops ? "StoppedAndKilled" : "Killed");
                         });

}  // namespace
}  // namespace ucxx::core::test
