// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <future>

#include <gtest/gtest.h>
#include <poll.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

using compat::Clock;
using compat::kDeadline;
using compat::Progress;
using compat::Self;

std::shared_ptr<ucxx::Worker> makeWorker(
    std::uint64_t features = ucxx::Context::defaultFeatureFlags) {
  return ucxx::createContext({}, features)->createWorker();
}

TEST(CompatWorkerTest, FactoriesTakeFlags) {
  auto context = ucxx::createContext();
  EXPECT_FALSE(context->createWorker()->isDelayedRequestSubmissionEnabled());
  EXPECT_TRUE(context->createWorker(true)->isDelayedRequestSubmissionEnabled());
  EXPECT_TRUE(context->createWorker(true, false)->isDelayedRequestSubmissionEnabled());
  EXPECT_FALSE(ucxx::createWorker(context, false, false)->isFutureEnabled());
  EXPECT_TRUE(context->createWorker(false, true)->isFutureEnabled());
}

TEST(CompatWorkerTest, BuilderSetsEachOption) {
  auto context = ucxx::createContext();
  auto builder = ucxx::workerBuilder(context)
                     .delayedSubmission()
                     .requestAttributes()
                     .pythonFuture(false)
                     .cudaBufferType(ucxx::BufferType::CCCL);
  const auto worker = builder.build();
  EXPECT_NE(worker, builder.build());
  EXPECT_TRUE(worker->isDelayedRequestSubmissionEnabled());
  EXPECT_TRUE(worker->isRequestAttributesEnabled());
  EXPECT_FALSE(worker->isFutureEnabled());
  EXPECT_EQ(worker->getCudaBufferType(), ucxx::BufferType::CCCL);
  EXPECT_FALSE(context->workerBuilder().build()->isRequestAttributesEnabled());
}

TEST(CompatWorkerTest, HandleTextAndAttributes) {
  auto worker = makeWorker();
  EXPECT_NE(worker->getHandle(), nullptr);
  EXPECT_FALSE(worker->getInfo().empty());
  const auto attributes = worker->queryAttributes();
  EXPECT_EQ(attributes.threadMode, UCS_THREAD_MODE_MULTI);
  EXPECT_GT(attributes.maxAmHeader, 0u);
  EXPECT_FALSE(attributes.name.empty());
  EXPECT_GT(attributes.maxDebugString, 0u);
}

TEST(CompatWorkerTest, IdleProgressSaysThatNothingMoved) {
  auto worker = makeWorker();
  EXPECT_TRUE(compat::until({}, [&] { return !worker->progress(); }));
  EXPECT_FALSE(worker->progressOnce());
}

TEST(CompatWorkerTest, ProgressWorkerEventSleepsOnlyInBlockingMode) {
  auto worker = makeWorker();
  while (worker->progress()) {
  }
  EXPECT_FALSE(worker->progressWorkerEvent());  // would sleep for ever
  worker->initBlockingProgressMode();
  const auto begin = Clock::now();
  EXPECT_FALSE(worker->progressWorkerEvent(30));
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(25));
}

TEST(CompatWorkerTest, SignalWakesASleeperFromAnotherThread) {
  auto worker = makeWorker();
  worker->initBlockingProgressMode();
  while (worker->progress()) {
  }
  std::atomic<bool> awake{false};
  std::thread signaler([&] {
    while (!awake) {
      worker->signal();
      std::this_thread::yield();
    }
  });
  const auto begin = Clock::now();
  EXPECT_FALSE(worker->progressWorkerEvent(20'000));
  awake = true;
  signaler.join();
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(10));
}

TEST(CompatWorkerTest, BlockingModeNeedsWakeUp) {
  EXPECT_THROW(makeWorker(UCP_FEATURE_TAG)->initBlockingProgressMode(), ucxx::Error);
}

TEST(CompatWorkerTest, ArmedDescriptorBecomesReadable) {
  auto worker = makeWorker();
  worker->initBlockingProgressMode();
  EXPECT_TRUE(compat::until({worker}, [&] { return worker->arm(); }));
  worker->signal();
  pollfd event{worker->getEpollFileDescriptor(), POLLIN, 0};
  EXPECT_EQ(poll(&event, 1, 10'000), 1);
}

TEST(CompatWorkerTest, ProgressThreadStartsWithItsCallbackAndStopsTwice) {
  for (const bool polling : {true, false}) {
    auto worker = makeWorker();
    struct Seen {
      ucxx::Worker* worker;
      std::promise<std::thread::id> id;
    } seen{worker.get(), {}};
    worker->setProgressThreadStartCallback(
        [](void* argument) {
          auto* self = static_cast<Seen*>(argument);
          self->id.set_value(std::this_thread::get_id());
        },
        &seen);
    EXPECT_FALSE(worker->isProgressThreadRunning());
    worker->startProgressThread(polling);
    worker->startProgressThread(polling, 1);
    EXPECT_TRUE(worker->isProgressThreadRunning());
    auto id = seen.id.get_future();
    ASSERT_EQ(id.wait_for(kDeadline), std::future_status::ready);
    EXPECT_EQ(id.get(), worker->getProgressThreadId());
    worker->stopProgressThread();
    EXPECT_FALSE(worker->isProgressThreadRunning());
    worker->stopProgressThread();
  }
}

TEST(CompatWorkerTest, PollingThreadNeedsNoWakeUpFeature) {
  Self self(Progress::PollingThread, UCP_FEATURE_TAG);
  int sent = 1;
  int received = 0;
  EXPECT_TRUE(self.wait({self.endpoint->tagRecv(&received, sizeof received, ucxx::Tag{0}),
                         self.endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{0})}));
  EXPECT_EQ(received, sent);
}

TEST(CompatWorkerTest, DestructorStopsTheProgressThread) {
  auto worker = makeWorker();
  worker->startProgressThread();
  std::weak_ptr<ucxx::Worker> gone = worker;
  worker.reset();
  EXPECT_TRUE(gone.expired());
}

TEST(CompatWorkerTest, GenericCallbacksRunOnTheProgressThread) {
  auto worker = makeWorker();
  worker->startProgressThread();
  std::thread::id pre;
  std::thread::id post;
  EXPECT_TRUE(worker->registerGenericPre([&] { pre = std::this_thread::get_id(); }));
  EXPECT_TRUE(worker->registerGenericPost([&] { post = std::this_thread::get_id(); },
                                          std::uint64_t{10'000'000'000}));
  EXPECT_EQ(pre, worker->getProgressThreadId());
  EXPECT_EQ(post, worker->getProgressThreadId());
}

TEST(CompatWorkerTest, GenericCallbackInsideAnotherRunsInline) {
  auto worker = makeWorker();
  worker->startProgressThread();
  bool inner = false;
  EXPECT_TRUE(worker->registerGenericPre(
      [&] { EXPECT_TRUE(worker->registerGenericPre([&] { inner = true; })); }));
  EXPECT_TRUE(inner);
}

TEST(CompatWorkerTest, GenericCallbackThatTimesOutNeverRuns) {
  auto worker = makeWorker();
  std::atomic<bool> ran{false};
  EXPECT_FALSE(worker->registerGenericPre([&] { ran = true; }, 5'000'000));
  worker->startProgressThread();
  EXPECT_TRUE(worker->registerGenericPost([] {}));
  EXPECT_FALSE(ran);
}

TEST(CompatWorkerTest, GenericCallbackThatDoesNotEndIsWarnedOfEveryTenPeriods) {
  std::promise<void> warned;
  std::atomic<int> warnings{0};
  ucxx::setLogSink([&](ucxx::LogLevel, std::string_view, std::string_view line) {
    if (line.find("Could not cancel after") == std::string_view::npos) return;
    if (++warnings == 2) warned.set_value();
  });
  auto worker = makeWorker();
  worker->startProgressThread();
  const auto is_warned = warned.get_future();
  bool began = false;
  const auto callback = [&] {
    began = true;
    EXPECT_EQ(is_warned.wait_for(kDeadline), std::future_status::ready);
  };
  // A callback that the thread has not begun within its period never runs: it is registered anew.
  while (!worker->registerGenericPre(callback, std::uint64_t{1'000'000})) ASSERT_FALSE(began);
  EXPECT_TRUE(began);
  EXPECT_TRUE(worker->registerGenericPre([] {}, ~std::uint64_t{0}));
  ucxx::setLogSink(nullptr);
}

TEST(CompatWorkerTest, GenericCallbackWaitsForAProgressThread) {
  auto worker = makeWorker();
  std::atomic<bool> ran{false};
  std::thread caller([&] { EXPECT_TRUE(worker->registerGenericPre([&] { ran = true; })); });
  worker->startProgressThread();
  caller.join();
  EXPECT_TRUE(ran);
}

TEST(CompatWorkerTest, DelayedSubmissionIsLeftToTheProgressThread) {
  auto worker = ucxx::createContext()->createWorker(true);
  worker->startProgressThread(true);
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  int sent = 1;
  int received = 0;
  std::promise<std::thread::id> callback_thread;
  auto receive = endpoint->tagRecv(
      &received, sizeof received, ucxx::Tag{0}, ucxx::TagMaskFull, false,
      [&](ucs_status_t, std::shared_ptr<void>) {
        callback_thread.set_value(std::this_thread::get_id());
      },
      nullptr);
  auto send = endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{0});
  ASSERT_TRUE(compat::ended({worker}, {receive, send}));
  EXPECT_EQ(callback_thread.get_future().get(), worker->getProgressThreadId());
  EXPECT_EQ(received, 1);
}

TEST(CompatWorkerTest, PlainProgressDoesNotSubmitDelayedRequests) {
  auto worker = ucxx::createContext()->createWorker(true);
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  int sent = 1;
  int received = 0;
  const compat::Requests requests{
      endpoint->tagRecv(&received, sizeof received, ucxx::Tag{0}),
      endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{0}),
  };
  for (int i = 0; i < 100; ++i) worker->progress();
  EXPECT_FALSE(requests[0]->isCompleted());
  worker->startProgressThread();
  EXPECT_TRUE(compat::ended({worker}, requests));
  EXPECT_EQ(received, 1);
}

TEST(CompatWorkerTest, FutureFlagTakesAnythingThatIsTrue) {
  Self self;
  int sent = 1;
  int received = 0;
  EXPECT_TRUE(self.wait({
      self.endpoint->tagRecv(&received, sizeof received, ucxx::Tag{0}, ucxx::TagMaskFull, true),
      self.endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{0}, ucxx::TagMaskFull),
  }));
  EXPECT_EQ(received, sent);
}

TEST(CompatWorkerTest, FlushEndsAfterTheSendsBeforeIt) {
  Self self;
  int sent = 1;
  int received = 0;
  auto receive = self.endpoint->tagRecv(&received, sizeof received, ucxx::Tag{0});
  auto send = self.endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{0});
  auto flush = self.worker->flush();
  EXPECT_TRUE(self.wait({flush, self.endpoint->flush()}));
  EXPECT_TRUE(send->isCompleted());
  EXPECT_TRUE(self.wait(
      {receive, self.worker->flushBuilder().build(), self.endpoint->flushBuilder().build()}));
}

TEST(CompatWorkerTest, ApplicationThreadsShareAWorker) {
  Self self(Progress::BlockingThread);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&self, i] {
      auto endpoint = self.worker->createEndpointFromWorkerAddress(self.worker->getAddress());
      for (int n = 0; n < 100; ++n) {
        const int sent = n;
        int received = -1;
        const auto tag = ucxx::Tag{static_cast<ucp_tag_t>(i) << 32 | static_cast<ucp_tag_t>(n)};
        ASSERT_TRUE(self.wait({endpoint->tagRecv(&received, sizeof received, tag),
                               endpoint->tagSend(&sent, sizeof sent, tag)}));
        ASSERT_EQ(received, n);
      }
      endpoint->closeBlocking();
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(CompatWorkerTest, WaitRequestsThrowsTheFirstError) {
  for (const auto progress : {Progress::Caller, Progress::BlockingThread}) {
    Self self(progress);
    char buffer = 0;
    auto receive = self.worker->tagRecv(&buffer, 1, ucxx::Tag{1}, ucxx::TagMaskFull);
    receive->cancel();
    EXPECT_THROW(ucxx::waitSingleRequest(self.worker, receive), ucxx::CanceledError);
    EXPECT_THROW(ucxx::waitRequests(self.worker, {receive}), ucxx::CanceledError);
    EXPECT_NO_THROW(ucxx::waitRequests(self.worker, {}));
  }
}

TEST(CompatWorkerTest, NothingToCancelIsZero) {
  Self self;
  char buffer = 0;
  auto receive = self.worker->tagRecv(&buffer, 1, ucxx::Tag{1}, ucxx::TagMaskFull);
  EXPECT_EQ(self.worker->cancelInflightRequests(), 0u);
  EXPECT_EQ(self.worker->cancelInflightRequests(1'000'000, 2), 0u);
  EXPECT_FALSE(receive->isCompleted());
  receive->cancel();
  EXPECT_TRUE(self.wait({receive}));
}

}  // namespace
