// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The peer of what streams, graphs and kernels wait for is a process that is killed, or stopped.

#include <csignal>
#include <cstdio>

#include <ucxx/memory_handle.h>
#include <ucxx/prepared.h>
#include <ucxx/remote_key.h>

#include "core/condition_peer.h"
#include "cuda/condition_module.h"
#include "cuda/launches.h"

namespace ucxx::core::test {

/// with PORT, with_memory PORT: connects, and moves its worker until it is told to end. The latter
/// sends a key to memory of its own.
int runRole(const std::vector<std::string>& words) {
  const auto context = createContext();
  auto worker = context->createWorker();
  const auto endpoint = worker->createEndpointFromHostname(
      "127.0.0.1", static_cast<std::uint16_t>(std::stoi(words.at(1))));
  worker->startProgressThread();
  const auto memory = context->createMemoryHandle(64, nullptr);
  const std::string key = memory->createRemoteKey()->serialize();
  if (words.at(0) == "with_memory") endpoint->tagSend(key.data(), key.size(), kKeyTag)->wait();
  return std::getchar() == EOF ? 0 : 1;
}

}  // namespace ucxx::core::test

namespace ucxx::cuda::test {
namespace {

using namespace std::chrono_literals;

struct WithDevice {
  WithDevice() { gpu::useDevice(); }
};

class StreamPeerTest : WithDevice, public ConditionPeerTest, public testing::Test {
 protected:
  StreamPeerTest() : ConditionPeerTest("with", Mode::Adaptive) { attach(); }

  /// The stream awaits the request, and then writes this word.
  void follow(Handle stream, const std::shared_ptr<Request>& request, std::size_t word) {
    request->waitOn(stream);
    ASSERT_EQ(driver().writeValue64(stream, words_.at(word), 1, 0), base::cuda::kSuccess);
  }
  void expectLost(const std::shared_ptr<Request>& request) {
    ASSERT_TRUE(ended({request})) << request->describe();
    const ucs_status_t status = request->getStatus();
    EXPECT_TRUE(status == UCS_ERR_CONNECTION_RESET || status == UCS_ERR_ENDPOINT_TIMEOUT) << status;
  }
  [[nodiscard]] bool areArmed(std::size_t count) {
    return until([&] { return server_.worker->stats().armed_requests == count; });
  }
  /// What waits for the peer goes on waiting; nothing has ended.
  void expectWaiting(std::initializer_list<std::size_t> words) {
    std::this_thread::sleep_for(kShort);  // for what must not happen
    for (const std::size_t word : words) EXPECT_EQ(words_[word], 0u) << word;
  }
  void stop() {
    process_.signal(SIGSTOP);
    ASSERT_TRUE(hasStopped());
  }
  void kill() { process_.signal(SIGKILL); }

  gpu::Words words_;
};

/// One stream waits for a receive, one for a send that nobody takes, one has not come to its send.
TEST_F(StreamPeerTest, StreamsGoOnWhenItIsKilled) {
  const Handle receiving = gpu::makeStream(), sending = gpu::makeStream(), shut = gpu::makeStream();
  ASSERT_EQ(driver().waitValue64(shut, words_.at(9), 1, base::cuda::kGreaterOrEqual),
            base::cuda::kSuccess);
  stop();  // it would take the send otherwise
  const auto received = receive(Condition::stream(receiving));
  follow(receiving, received, 1);
  const auto sent = send(Condition::stream(sending), kTakenBytes, kTakenTag);
  follow(sending, sent, 2);
  const auto armed = send(Condition::stream(shut), 8, kTakenTag);
  follow(shut, armed, 3);
  ASSERT_TRUE(areArmed(1));
  expectWaiting({1, 2, 3});
  kill();
  for (const auto& request : {received, sent, armed}) expectLost(request);
  EXPECT_TRUE(drains("the receiving stream", receiving));
  EXPECT_TRUE(drains("the sending stream", sending));
  EXPECT_EQ(words_[3], 0u);
  words_[9] = 1;
  EXPECT_TRUE(drains("the stream that was shut", shut));
  const auto late = receive(Condition::stream(receiving));
  follow(receiving, late, 4);
  EXPECT_TRUE(drains("a stream that posts to the dead", receiving));
  expectLost(late);
  expectWorkerGoesOn();
}

TEST_F(StreamPeerTest, AStreamThatIterationsOfAPlanHoldUpGoesOnWhenItIsKilled) {
  const Handle stream = gpu::makeStream();
  const auto plan = endpoint_->prepareRecv(&words_[16], 8, kTakenTag);
  Requests starts;
  for (int i = 0; i < 3; ++i) {
    starts.push_back(plan->startOn(stream));
    follow(stream, starts.back(), 1);
  }
  ASSERT_TRUE(until([&] { return plan->iterations() == 1; }));
  expectWaiting({1});
  kill();
  for (const auto& start : starts) expectLost(start);
  EXPECT_TRUE(drains("the stream", stream));
  ASSERT_TRUE(ended({plan->close()}));
  expectWorkerGoesOn();
}

/// The node of the start has ended, and that of the end waits for the peer.
TEST_F(StreamPeerTest, AGraphThatIterationsOfPlansHoldUpGoesOnWhenItIsKilled) {
  const Handle stream = gpu::makeStream();
  const std::vector<std::shared_ptr<Prepared>> plans{
      endpoint_->prepareRecv(&words_[16], 8, kTakenTag),
      endpoint_->prepareRecv(&words_[17], 8, kTakenTag)};
  Launches launches(stream);
  launches.begin();
  const auto started = startAll(Condition::stream(stream), plans, StartUntil::Begun);
  waitAllOn(stream, plans);
  ASSERT_EQ(driver().writeValue64(stream, words_.at(1), 1, 0), base::cuda::kSuccess);
  launches.finish();
  launches.launch();
  ASSERT_TRUE(until([&] { return plans[1]->iterations() == 1; }));
  expectWaiting({1});
  kill();
  EXPECT_TRUE(launches.done());
  expectLost(started);
  launches.launch();
  EXPECT_TRUE(launches.done());
  launches.end();
  for (const auto& plan : plans) ASSERT_TRUE(ended({plan->close()}));
  expectWorkerGoesOn();
}

TEST_F(StreamPeerTest, AGraphAndAKernelGoOnWhenItIsKilled) {
  const Handle stream = gpu::makeStream(), kernels = gpu::makeStream();
  warmConditionKernels(kernels);
  Launches launches(stream);
  launches.begin();
  const auto received = receive(Condition::stream(stream));
  follow(stream, received, 1);
  launches.finish();
  const Condition condition = Condition::kernel();
  const auto sent = send(condition, kTakenBytes, kTakenTag);
  device::Handle* const handle = condition.deviceHandle();
  KernelWord epoch = 1;
  auto* const status = reinterpret_cast<KernelWord*>(words_.at(2));
  auto* const triggered = reinterpret_cast<KernelWord*>(words_.at(3));
  const auto launch = [&](const char* name, std::initializer_list<const void*> arguments) {
    std::vector<void*> places;
    for (const void* argument : arguments) places.push_back(const_cast<void*>(argument));
    ASSERT_EQ(driver().launch(conditionKernel(name), 1, 1, 1, 1, 1, 1, 0, kernels, places.data(),
                              nullptr),
              base::cuda::kSuccess);
  };
  words_[2] = UCS_INPROGRESS;
  stop();
  launches.launch();
  launch("trigger_condition", {&handle, &triggered});
  launch("wait_condition", {&handle, &epoch, &status});
  ASSERT_TRUE(areArmed(1));  // the receive of the graph, which repeats
  expectWaiting({1});
  kill();
  EXPECT_TRUE(drains("the kernels", kernels));
  EXPECT_NE(static_cast<std::int64_t>(words_[2].load()), UCS_OK);
  EXPECT_NE(static_cast<std::int64_t>(words_[2].load()), UCS_INPROGRESS);
  EXPECT_TRUE(launches.done());
  expectLost(received);
  expectLost(sent);
  launches.launch();
  EXPECT_TRUE(launches.done());
  launches.end();
  expectWorkerGoesOn();
}

TEST_F(StreamPeerTest, AStreamGoesOnWhenALimitEndsWhatAStoppedPeerHoldsUp) {
  const Handle stream = gpu::makeStream();
  ConditionOptions options;
  options.transfer_timeout = 300ms;
  stop();
  const auto received = receive(Condition::stream(stream, options));
  follow(stream, received, 1);
  EXPECT_TRUE(drains("the stream", stream));
  ASSERT_TRUE(ended({received}));
  EXPECT_EQ(received->getStatus(), UCS_ERR_TIMED_OUT);
  EXPECT_TRUE(endpoint_->isAlive());
  process_.signal(SIGCONT);
  expectWorkerGoesOn();
}

}  // namespace
}  // namespace ucxx::cuda::test
