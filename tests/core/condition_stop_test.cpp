// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The receiver of a send that has started is a process that is stopped: the limit of the send.

#include <csignal>

#include <fcntl.h>
#include <unistd.h>

#include "core/condition_peer.h"

namespace ucxx::core::test {

/// with PORT: connects and moves. take PORT: receives messages, and stops in the middle of each.
int runRole(const std::vector<std::string>& words) {
  auto worker = createContext()->createWorker();
  auto endpoint = worker->createEndpointFromHostname(
      "127.0.0.1", static_cast<std::uint16_t>(std::stoi(words[1])));
  const bool takes = words[0] == "take";
  std::vector<std::byte> room(takes ? kTakenBytes : 1);
  std::shared_ptr<Request> receive;
  bool is_to_stop = false;
  ::fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  for (char letter = 0; ::read(STDIN_FILENO, &letter, 1) != 0;) {
    worker->progress();
    if (takes && (receive == nullptr || receive->isCompleted())) {
      room.front() = std::byte{};
      receive = endpoint->tagRecv(room.data(), room.size(), kTakenTag, TagMaskFull);
      is_to_stop = true;
    }
    if (!is_to_stop || room.front() == std::byte{} || receive->isCompleted()) continue;
    is_to_stop = false;
    ::raise(SIGSTOP);
  }
  return 0;
}

namespace {

using namespace std::chrono_literals;

/// A receiver that is stopped, and a send that has a limit.
class ConditionStopTest : public ConditionPeerTest,
                          public testing::TestWithParam<std::tuple<Mode, bool>> {
 protected:
  // So long the receiver has to begin.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  static constexpr auto kLimit = 2000ms;
#else
  static constexpr auto kLimit = 500ms;
#endif

  explicit ConditionStopTest(const char* role = "with")
      : ConditionPeerTest(role, std::get<Mode>(GetParam())) {}

  static ConditionOptions limited() {
    ConditionOptions options;
    options.transfer_timeout = kLimit;
    options.repeat = std::get<bool>(GetParam());
    return options;
  }
  void expectTimedOut() {
    EXPECT_EQ(request_->getStatus(), UCS_ERR_TIMED_OUT) << request_->describe();
    EXPECT_TRUE(condition_.wait(1, compat::kDeadline));
    EXPECT_EQ(condition_.epoch(), 1u);
    EXPECT_EQ(condition_.lastStatus(), UCS_ERR_TIMED_OUT);
  }
  Clock::duration sinceTrigger() const { return Clock::now() - triggered_at_; }
  void begin() {
    condition_ = Condition::host(limited());
    request_ = send(condition_, kTakenBytes, kTakenTag);
    triggered_at_ = Clock::now();
    condition_.trigger();
  }

  Condition condition_;
  std::shared_ptr<Request> request_;
  Clock::time_point triggered_at_;
};

/// Inside a machine a claim says that it has not been taken. Elsewhere only the receiver could say
/// that: when it has not, the endpoint is closed.
TEST_P(ConditionStopTest, ASendThatHasNotBegunTimesOut) {
  process_.signal(SIGSTOP);
  ASSERT_TRUE(hasStopped());
  begin();
  ASSERT_TRUE(ended({request_})) << server_.worker->describe();
  const auto took = sinceTrigger();
  EXPECT_GE(took, kLimit);
  EXPECT_LT(took, 2 * kLimit + 5s);  // no other limit has ended it
  expectTimedOut();
  if (isLocal())
    EXPECT_TRUE(endpoint_->isAlive());
  else
    EXPECT_TRUE(until([&] { return !endpoint_->isAlive(); }));
  expectWorkerGoesOn();
}

class ConditionMovingTest : public ConditionStopTest {
 protected:
  ConditionMovingTest() : ConditionStopTest("take") {}

  /// Sends until the receiver stops in the middle of a message, and that message closes the
  /// endpoint. One that was whole before the receiver could stop is followed by another.
  [[nodiscard]] bool closesItsEndpoint() {
    begin();
    return until([&] {
      if (!endpoint_->isAlive()) return true;
      if (condition_.epoch() != 0) {
        process_.signal(SIGCONT);
        begin();
      }
      return false;
    });
  }
};

/// It cannot be taken back, so its endpoint closes after the same time once more. What becomes of
/// the bytes is as with every close: inside a machine the receiver may still copy.
TEST_P(ConditionMovingTest, ASendWhoseBytesMoveTakesTheEndpointWithIt) {
  ASSERT_TRUE(closesItsEndpoint()) << server_.worker->describe();
  const auto took = sinceTrigger();
  EXPECT_GE(took, 2 * kLimit);
  EXPECT_LT(took, 2 * kLimit + 5s);
  ASSERT_TRUE(hasStopped());
  if (isLocal()) {
    EXPECT_FALSE(condition_.wait(1, 50ms)) << "its buffer was given back";
    process_.signal(SIGKILL);
  }
  ASSERT_TRUE(ended({request_})) << server_.worker->describe();
  const ucs_status_t status = request_->getStatus();
  EXPECT_TRUE(status == UCS_ERR_TIMED_OUT || status == UCS_ERR_CONNECTION_RESET) << status;
  EXPECT_TRUE(condition_.wait(1, compat::kDeadline));
  EXPECT_EQ(condition_.lastStatus(), status);
  expectWorkerGoesOn();
}

std::string nameOfLimit(const testing::TestParamInfo<std::tuple<Mode, bool>>& info) {
  return nameOf(std::get<Mode>(info.param)) + (std::get<bool>(info.param) ? "Repeating" : "Once");
}
INSTANTIATE_TEST_SUITE_P(All, ConditionStopTest,
                         testing::Combine(testing::Values(Mode::Caller, Mode::Adaptive),
                                          testing::Bool()),
                         nameOfLimit);
INSTANTIATE_TEST_SUITE_P(All, ConditionMovingTest,
                         testing::Combine(testing::Values(Mode::Caller, Mode::Adaptive),
                                          testing::Bool()),
                         nameOfLimit);

}  // namespace
}  // namespace ucxx::core::test
