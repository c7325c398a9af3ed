// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Progress threads: their start, their end, and what goes wrong with them.

#include <pthread.h>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

TEST(ThreadTest, StartCallbackSeesTheIdOfItsThread) {
  for (int i = 0; i < 30; ++i) {
    auto worker = makeWorker();
    std::atomic<int> right{-1};
    worker->setProgressThreadStartCallback(
        [&, it = worker.get()](void*) {
          right = it->getProgressThreadId() == std::this_thread::get_id();
        },
        nullptr);
    worker->startProgressThread(ProgressOptions{});
    ASSERT_TRUE(in(compat::kDeadline, [&] { return right != -1; }));
    ASSERT_EQ(right, 1) << i;
  }
}

TEST(ThreadTest, StartAndStopManyTimesUnderLoad) {
  Ends ends(Route::Listener, Mode::Adaptive);
  Received none;
  for (int i = 0; i < 50; ++i) {
    Receiving receiving(Move::Tag, *ends.right, 100000, none);
    Sending sending(Move::Tag, *ends.left, bytes(100000, i));
    ends.left_worker->stopProgressThread();
    ends.left_worker->stopProgressThread();
    if (i % 2 == 0)
      ends.left_worker->startProgressThread(
          {i % 4 == 0 ? ProgressMode::Polling : ProgressMode::Blocking, {}});
    ends.left_worker->startProgressThread(ProgressOptions{});
    ASSERT_TRUE(ends.ended({sending.request, receiving.request}));
    ASSERT_TRUE(receiving.payload() == sending.payload());
  }
}

TEST(ThreadTest, SecondStopWaitsForTheFirst) {
  Ends ends(Route::Self, Mode::Adaptive);
  std::atomic<bool> inside{false}, leave{false}, left{false};
  auto receive = ends.left->tagRecv(nullptr, 0, kTag, TagMaskFull, false,
                                    [&](ucs_status_t, const std::shared_ptr<void>&) {
                                      inside = true;
                                      while (!leave) std::this_thread::yield();
                                      left = true;
                                    });
  auto send = ends.left->tagSend(nullptr, 0, kTag);
  ASSERT_TRUE(ends.until([&] { return inside.load(); }));
  std::atomic<int> begun{0}, stopped{0};
  const auto stop = [&] {
    ++begun;
    ends.left_worker->stopProgressThread();
    EXPECT_TRUE(left);
    EXPECT_FALSE(ends.left_worker->isProgressThreadRunning());
    ++stopped;
  };
  std::thread first(stop), second(stop);
  ASSERT_TRUE(ends.until([&] { return begun == 2; }));
  EXPECT_EQ(stopped, 0);
  leave = true;
  first.join();
  second.join();
  EXPECT_EQ(stopped, 2);
}

TEST(ThreadTest, WorkerGoesOnWhenItCannotBeMade) {
  Ends ends(Route::Self);
  pthread_attr_t before, huge;
  ASSERT_EQ(::pthread_getattr_default_np(&before), 0);
  ::pthread_attr_init(&huge);
  ASSERT_EQ(::pthread_attr_setstacksize(&huge, std::size_t{1} << 46), 0);
  ASSERT_EQ(::pthread_setattr_default_np(&huge), 0);
  EXPECT_THROW(ends.left_worker->startProgressThread(true), Error);
  ::pthread_setattr_default_np(&before);
  EXPECT_FALSE(ends.left_worker->isProgressThreadRunning());
  auto receive = ends.left->tagRecv(nullptr, 0, kTag);
  auto send = ends.left->tagSend(nullptr, 0, kTag);
  EXPECT_TRUE(ends.ended({receive, send}));
  ends.left_worker->startProgressThread(true);
  EXPECT_TRUE(ends.left_worker->isProgressThreadRunning());
}

}  // namespace
}  // namespace ucxx::core::test
