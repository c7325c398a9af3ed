// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Who sleeps is woken.

#include <functional>

#include <poll.h>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

/// A thread that was seen asleep may have woken by the next question.
TEST(InTest, AsksNoMoreOnceItWasTrue) {
  int looks = 0;
  EXPECT_TRUE(in(1s, [&] { return ++looks == 2; }));
  EXPECT_EQ(looks, 2);
}

TEST(WakeTest, SignalEndsASleep) {
  auto worker = makeWorker();
  worker->initBlockingProgressMode();
  std::atomic<bool> awake{false};
  std::thread sleeper([&] {
    for (int i = 0; i < 100; ++i) worker->progressWorkerEvent(-1);
    awake = true;
  });
  const auto end = Clock::now() + compat::kDeadline;
  while (!awake && Clock::now() < end) worker->signal();
  EXPECT_TRUE(awake);
  sleeper.join();
}

TEST(WakeTest, SignalIsNotLostWhenALookTakesIt) {
  auto worker = makeWorker();
  worker->initBlockingProgressMode();
  while (worker->progress()) {
  }
  worker->signal();
  for (const auto end = Clock::now() + 5ms; Clock::now() < end;)
    worker->progress();  // it looks each 100 us
  const auto begin = Clock::now();
  worker->progressWorkerEvent(10000);
  EXPECT_LT(Clock::now() - begin, 5s);
}

TEST(WakeTest, TimeoutEndsASleep) {
  auto worker = makeWorker();
  worker->initBlockingProgressMode();
  while (worker->progress()) {
  }
  const auto begin = Clock::now();
  worker->progressWorkerEvent(50);
  EXPECT_LT(Clock::now() - begin, 5s);
}

TEST(WakeTest, PostOfAnotherThreadWakesTheSleeper) {
  Ends ends(Route::Listener, Mode::Event);
  for (int i = 0; i < 200; ++i) {
    Received none;
    Receiving receiving(Move::Tag, *ends.right, 8, none);
    Sending sending(Move::Tag, *ends.left, bytes(8, i));
    ASSERT_TRUE(ends.ended({sending.request, receiving.request})) << i;
    ASSERT_TRUE(receiving.payload() == sending.payload());
  }
}

TEST(WakeTest, PostBehindACallbackOfAnotherThreadIsDone) {
  for (const bool progressed : {false, true}) {
    SCOPED_TRACE(progressed);
    auto worker = makeWorker();
    worker->initBlockingProgressMode();
    auto self = worker->createEndpointFromWorkerAddress(worker->getAddress());
    (void)self->tagSend(nullptr, 0, Tag{9});
    std::atomic<bool> stopping{false};
    WatchedThread sleeper([&] {
      while (!stopping) worker->progressWorkerEvent(-1);
    });
    const bool asleep = sleeper.fallsAsleep();
    if (progressed) {
      worker->progress();
      EXPECT_TRUE(sleeper.fallsAsleep());
    }
    std::shared_ptr<Request> receive;
    (void)self->tagSend(nullptr, 0, Tag{8}, false, [&](ucs_status_t, std::shared_ptr<void>) {
      std::thread([&] { receive = worker->tagRecv(nullptr, 0, Tag{9}); }).join();
    });
    const bool done = receive != nullptr && in(3s, [&] { return receive->isCompleted(); });
    stopping = true;
    worker->signal();
    ASSERT_TRUE(asleep);
    EXPECT_TRUE(done) << worker->stats().queue_depth;
  }
}

TEST(WakeTest, ProgressOfAnotherThreadWakesWhoIsAboutToSleep) {
  Ends ends(Route::Listener);
  char out = 1, in = 0;
  auto receive = ends.right_worker->tagRecv(&in, 1, kTag, TagMaskFull);
  while (!ends.right_worker->arm()) ends.right_worker->progress();
  ASSERT_FALSE(receive->isCompleted());
  std::thread([&] {
    auto send = ends.left->tagSend(&out, 1, kTag);
    EXPECT_TRUE(ends.ended({send, receive}));
  }).join();
  pollfd waiting{ends.right_worker->getEpollFileDescriptor(), POLLIN, 0};
  EXPECT_EQ(::poll(&waiting, 1, static_cast<int>(compat::kDeadline / 1ms)), 1);
}

/// Moves `worker` until there is nothing to do, then arms it.
void armWhenQuiet(Worker& worker) {
  do {
    while (worker.progress()) {
    }
  } while (!worker.arm());
}

/// A program that sleeps on the descriptor: what has woken it once does not wake it again.
TEST(WakeTest, DescriptorWakesOnceForAMessage) {
  Ends ends(Route::Listener);
  constexpr int kMessages = 200;
  int wake_ups = 0;
  char out = 1, in = 0;
  pollfd waiting{ends.right_worker->getEpollFileDescriptor(), POLLIN, 0};
  for (int i = 0; i < kMessages; ++i) {
    auto receive = ends.right_worker->tagRecv(&in, 1, kTag, TagMaskFull);
    armWhenQuiet(*ends.right_worker);
    while (::poll(&waiting, 1, 0) == 1) armWhenQuiet(*ends.right_worker);  // what was before
    auto send = ends.left->tagSend(&out, 1, kTag);
    for (const auto end = Clock::now() + compat::kDeadline; Clock::now() < end;) {
      ends.left_worker->progress();
      if (::poll(&waiting, 1, 0) == 0) {
        if (receive->isCompleted()) break;
        continue;
      }
      ++wake_ups;
      armWhenQuiet(*ends.right_worker);
    }
    ASSERT_TRUE(receive->isCompleted());
  }
  EXPECT_LE(wake_ups, kMessages + kMessages / 10);  // a timer may fire in between
}

/// One more thread that progresses takes the events of all from the descriptors.
TEST(WakeTest, SleeperWakesBesideAThreadThatLooksAndOneThatSends) {
  auto worker = makeWorker();
  worker->initBlockingProgressMode();
  auto self = worker->createEndpointFromWorkerAddress(worker->getAddress());
  constexpr int kMessages = 3000;
  std::atomic<int> posted{0};
  std::atomic<bool> over{false};
  std::thread looking([&] {
    while (!over) worker->progress();
  });
  std::thread sending([&] {
    for (int i = 0; i < kMessages; ++i) {
      while (posted <= i && !over) std::this_thread::yield();
      (void)self->tagSend(nullptr, 0, kTag);
    }
  });
  bool slept_through = false;
  for (int i = 0; i < kMessages && !slept_through; ++i) {
    auto receive = worker->tagRecv(nullptr, 0, kTag, TagMaskFull);
    posted = i + 1;
    const auto begin = Clock::now();
    while (!receive->isCompleted()) worker->progressWorkerEvent(5000);
    slept_through = Clock::now() - begin >= 5s;
  }
  over = true;
  looking.join();
  sending.join();
  EXPECT_FALSE(slept_through);
}

/// One sleeps, another ends a sleep of its own: who sends afterwards must wake the first.
class TwoSleepersTest : public testing::TestWithParam<Route> {
 protected:
  void expectWoken(const std::function<void()>& other) {
    Worker& worker = *ends_.right_worker;
    char in = 0;
    auto receive = worker.tagRecv(&in, 1, kTag, TagMaskFull);
    std::atomic<bool> stopping{false};
    WatchedThread sleeper([&] {
      while (!receive->isCompleted() && !stopping) worker.progressWorkerEvent(-1);
    });
    const bool asleep = sleeper.fallsAsleep();
    std::thread(other).join();
    const char out = 1;
    auto send = ends_.left->tagSend(&out, 1, kTag);
    const bool woken = compat::until({ends_.left_worker}, [&] { return receive->isCompleted(); });
    stopping = true;
    worker.signal();
    ASSERT_TRUE(asleep);
    EXPECT_TRUE(woken);
  }
  void SetUp() override { ends_.right_worker->initBlockingProgressMode(); }

  Ends ends_{GetParam()};
};

TEST_P(TwoSleepersTest, OneWhoseTimeIsUp) {
  expectWoken([&] { ends_.right_worker->progressWorkerEvent(10); });
}

TEST_P(TwoSleepersTest, OneThatArmsAndProgresses) {
  expectWoken([&] {
    (void)ends_.right_worker->arm();
    ends_.right_worker->progress();
  });
}

INSTANTIATE_TEST_SUITE_P(All, TwoSleepersTest, testing::Values(Route::Listener, Route::Address),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
