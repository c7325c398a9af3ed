// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that takes a worker which sleeps for awake, and rings no bell: the fence
// of the sleeper has missed it (base/foreign_fence.h). The worker hears it all the same.

#include <poll.h>

#include "core/hostile_local.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

class MissedPeerTest : public HostileLocalTest {
 protected:
  void SetUp() override {
    HostileLocalTest::SetUp();
    worker_->initBlockingProgressMode();
  }
  void receive() {
    in_ = 0;
    receive_ = worker_->tagRecv(&in_, sizeof in_, kTag, TagMaskFull);
  }
  /// While the worker sleeps.
  void sendUnheard() {
    auto& sleep = peer_->workersBoard().sleep;
    const std::uint64_t asleep = sleep;
    ASSERT_TRUE(local::BoardMemory::isAsleep(asleep));
    sleep = asleep - 1;  // so it looks to the peer
    peerSends(kTag, 42);
    sleep = asleep;
  }
  /// In much less time than until something else may happen to wake the worker.
  [[nodiscard]] bool isHeard() {
    return in(5s, [&] { return receive_->isCompleted(); }) && in_ == 42;
  }

  static constexpr int kTimes = 5;
  int in_ = 0;
  std::shared_ptr<Request> receive_;
};

// Several times: the first sleeps may end because of what was before them.

TEST_F(MissedPeerTest, EndsAWaitForTheDescriptor) {
  for (int i = 0; i < kTimes; ++i) {
    receive();
    do {
      while (worker_->progress()) {
      }
    } while (!worker_->arm());
    ASSERT_NO_FATAL_FAILURE(sendUnheard());
    pollfd waiting{worker_->getEpollFileDescriptor(), POLLIN, 0};
    ASSERT_EQ(::poll(&waiting, 1, 5000), 1);
    worker_->progress();
    EXPECT_TRUE(receive_->isCompleted());
    EXPECT_EQ(in_, 42);
  }
}

TEST_F(MissedPeerTest, EndsASleepForAnEvent) {
  for (int i = 0; i < kTimes; ++i) {
    receive();
    std::atomic<bool> stopping{false};
    WatchedThread sleeper([&] {
      while (!stopping && !receive_->isCompleted()) worker_->progressWorkerEvent(-1);
    });
    const bool asleep = sleeper.fallsAsleep();
    if (asleep) sendUnheard();
    EXPECT_TRUE(asleep && isHeard()) << i;
    stopping = true;
    worker_->signal();
  }
}

TEST_F(MissedPeerTest, EndsASleepOfTheProgressThread) {
  for (const ProgressMode mode : {ProgressMode::Blocking, ProgressMode::Adaptive}) {
    worker_->startProgressThread({mode, {}});
    for (int i = 0; i < kTimes; ++i) {
      receive();
      auto& sleep = peer_->workersBoard().sleep;
      const bool asleep =
          in(compat::kDeadline, [&] { return local::BoardMemory::isAsleep(sleep.load()); });
      if (asleep) sendUnheard();
      EXPECT_TRUE(asleep && isHeard()) << i;
    }
    worker_->stopProgressThread();
  }
}

TEST_F(MissedPeerTest, IsAtLastLookedForOnceASecond) {
  std::atomic<bool> stopping{false};
  WatchedThread sleeper([&] {
    while (!stopping) worker_->progressWorkerEvent(-1);
  });
  const auto wake_ups = [&] { return worker_->stats().wake_ups; };
  EXPECT_TRUE(in(compat::kDeadline, [&] { return wake_ups() >= 4; }));  // after 1.1 s
  const auto before = wake_ups();
  std::this_thread::sleep_for(1s);
  EXPECT_LE(wake_ups(), before + 2);
  stopping = true;
  worker_->signal();
}

}  // namespace
}  // namespace ucxx::core::test
