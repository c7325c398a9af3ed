// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Destruction in any order and from any place: every request ends once, nothing is left.

#include <algorithm>
#include <functional>
#include <random>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

/// Counts ends of requests that nobody may hold any more.
struct Ended {
  std::atomic<int> posted{0};
  std::atomic<int> ended{0};
  RequestCallbackUserFunction callback() {
    ++posted;
    return [this](ucs_status_t, std::shared_ptr<void>) { ++ended; };
  }
};

class OrderTest : public testing::TestWithParam<Mode> {};

/// A buffer for each endpoint: UCX is slow to give up one that two workers send.
using Buffers = std::vector<std::vector<std::byte>>;
Buffers makeBuffers() { return {2, std::vector<std::byte>(kAnnouncedBytes)}; }

void postEverything(Ends& ends, Ended& ended, Buffers& buffers, Requests& requests) {
  for (auto& endpoint : {ends.left, ends.right}) {
    auto& buffer = buffers[endpoint == ends.left ? 0 : 1];
    requests.push_back(
        endpoint->tagRecv(buffer.data(), 1, Tag{1}, TagMaskFull, false, ended.callback()));
    requests.push_back(endpoint->amRecv(false, ended.callback()));
    requests.push_back(endpoint->streamRecv(buffer.data(), 1, false));
    requests.push_back(endpoint->tagMultiRecv(Tag{1}, TagMaskFull));
    requests.push_back(endpoint->tagSend(buffer.data(), 100, Tag{2}, false, ended.callback()));
    requests.push_back(
        endpoint->tagSend(buffer.data(), kAnnouncedBytes, Tag{3}, false, ended.callback()));
    requests.push_back(endpoint->amSend(buffer.data(), kAnnouncedBytes, UCS_MEMORY_TYPE_HOST,
                                        std::nullopt, false, ended.callback()));
    requests.push_back(endpoint->flush(false, ended.callback()));
  }
  for (auto& worker : {ends.left_worker, ends.right_worker}) {
    requests.push_back(
        worker->tagRecv(buffers[0].data(), 1, Tag{9}, TagMaskFull, false, ended.callback()));
    requests.push_back(worker->flush(false, ended.callback()));
  }
}

TEST_P(OrderTest, EverythingPendingEndsOnce) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    auto random = std::mt19937(seed);
    Ended ended;
    auto buffers = makeBuffers();
    {
      Ends ends(seed % 3 == 0   ? Route::Self
                : seed % 3 == 1 ? Route::Listener
                                : Route::Address,
                GetParam());
      Requests requests;
      postEverything(ends, ended, buffers, requests);
      if (seed % 2 == 0) std::shuffle(requests.begin(), requests.end(), random);
      std::vector<std::function<void()>> drops{[&] { ends.context = nullptr; },
                                               [&] { ends.left_worker = nullptr; },
                                               [&] { ends.right_worker = nullptr; },
                                               [&] { ends.listener = nullptr; },
                                               [&] { ends.left = nullptr; },
                                               [&] { ends.right = nullptr; },
                                               [&] { requests.resize(requests.size() / 2); },
                                               [&] { requests.clear(); }};
      std::shuffle(drops.begin(), drops.end(), random);
      for (auto& drop : drops) {
        drop();
        if (ends.left_worker != nullptr && GetParam() == Mode::Caller) ends.left_worker->progress();
      }
    }
    EXPECT_EQ(ended.ended, ended.posted);
  }
}

TEST_P(OrderTest, NothingIsLeft) {
  const auto once = [] {
    Ends ends(Route::Listener, GetParam());
    Sending sending(Move::Tag, *ends.left, bytes(100));
    std::vector<std::byte> received(100);
    EXPECT_TRUE(ends.ended({sending.request, ends.right->tagRecv(received.data(), 100, kTag)}));
  };
  once();
  const std::size_t descriptors = openDescriptors();
  const std::size_t threads = runningThreads();
  for (int i = 0; i < 10; ++i) once();
  EXPECT_LE(openDescriptors(), descriptors);
  EXPECT_LE(runningThreads(), threads);
}
INSTANTIATE_TEST_SUITE_P(All, OrderTest,
                         testing::Values(Mode::Caller, Mode::Polling, Mode::Adaptive,
                                         Mode::Delayed),
                         [](const auto& info) { return nameOf(info.param); });

TEST(LifetimeTest, LastWorkerReferenceGoesInACallbackOfItsThread) {
  for (int i = 0; i < 10; ++i) {
    std::atomic<bool> gone{false};
    std::weak_ptr<Worker> watched;
    {
      auto worker = createContext()->createWorker();
      worker->startProgressThread(ProgressOptions{});
      watched = worker;
      auto held = std::make_shared<std::shared_ptr<Worker>>(worker);
      auto receive = worker->tagRecv(nullptr, 0, Tag{1}, TagMaskFull, false,
                                     [held, &gone](ucs_status_t, std::shared_ptr<void>) {
                                       *held = nullptr;
                                       gone = true;
                                     });
      receive->cancel();
    }
    const auto end = Clock::now() + compat::kDeadline;
    while ((!gone || !watched.expired()) && Clock::now() < end) std::this_thread::yield();
    EXPECT_TRUE(gone && watched.expired());
  }
}

TEST(LifetimeTest, LastWorkerReferenceGoesInAReceiverOfItsThread) {
  const std::size_t threads = runningThreads();
  std::atomic<int> stage{0};
  {
    Ends ends(Route::Listener, Mode::Adaptive);
    ends.right_worker->registerAmReceiverCallback(
        kReceiver, [&](std::shared_ptr<Request> request, ucp_ep_h) {
          stage = 1;  // `request` holds the endpoint, which holds the worker
          while (stage != 2) std::this_thread::yield();
          request = nullptr;
          stage = 3;
        });
    Sending sending(Move::AmCallback, *ends.left, bytes(10));
    ASSERT_TRUE(ends.until([&] { return stage == 1; }));
    ends.right = nullptr;
    ends.listener = nullptr;
    ends.right_worker = nullptr;
    stage = 2;
    const auto end = Clock::now() + compat::kDeadline;
    while (stage != 3 && Clock::now() < end) std::this_thread::yield();
    ASSERT_EQ(stage, 3);
    // The peer sees that it is gone.
    ASSERT_TRUE(compat::until({ends.left_worker}, [&] { return !ends.left->isAlive(); }));
  }
  const auto end = Clock::now() + compat::kDeadline;
  while (runningThreads() > threads + 1 && Clock::now() < end) std::this_thread::yield();
  EXPECT_LE(runningThreads(), threads + 1);
}

TEST(LifetimeTest, LastWorkerReferenceGoesWhileItProgresses) {
  auto* holder = new std::shared_ptr<Worker>(createContext()->createWorker());
  Worker& worker = **holder;
  std::weak_ptr<Worker> watched = *holder;
  auto self = worker.createEndpointFromWorkerAddress(worker.getAddress());
  self->setCloseCallback(
      [holder](ucs_status_t, std::shared_ptr<void>) {
        delete holder;  // inside of progress() below
      },
      nullptr);
  (void)self->streamSend("x", 1, false);
  self = nullptr;
  EXPECT_TRUE(watched.expired());
}

TEST(LifetimeTest, StopFromACallbackOfTheThreadThrows) {
  auto worker = createContext()->createWorker();
  worker->startProgressThread(ProgressOptions{});
  bool thrown = false;
  EXPECT_TRUE(worker->registerGenericPre([&] {
    try {
      worker->stopProgressThread();
    } catch (const std::exception&) {
      thrown = true;
    }
  }));
  EXPECT_TRUE(thrown);
  worker->stopProgressThread();
  EXPECT_FALSE(worker->isProgressThreadRunning());
}

TEST(LifetimeTest, RequestsAreFreedOnOtherThreadsAfterEverythingElse) {
  for (const Mode mode : {Mode::Caller, Mode::Adaptive, Mode::Delayed}) {
    Requests requests;
    auto buffers = makeBuffers();
    Ended ended;
    {
      Ends ends(Route::Address, mode);
      postEverything(ends, ended, buffers, requests);
    }
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = static_cast<std::size_t>(t); i < requests.size(); i += 4) {
          (void)requests[i]->isCompleted();
          requests[i]->cancel();
          requests[i] = nullptr;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(ended.ended, ended.posted);
  }
}

TEST(LifetimeTest, BufferThatTwoWorkersSend) {
  Ended ended;
  const auto sent = bytes(kAnnouncedBytes);
  {
    Ends ends(Route::Address);
    for (auto& endpoint : {ends.left, ends.right})
      (void)endpoint->tagSend(sent.data(), sent.size(), kTag, false, ended.callback());
    ASSERT_TRUE(ends.arrived(ends.right_worker, kTag));
    ASSERT_TRUE(ends.arrived(ends.left_worker, kTag));
  }
  EXPECT_EQ(ended.ended, ended.posted);
}

TEST(LifetimeTest, DelayedSubmissionsWithoutThreadEndWithTheWorker) {
  Ended ended;
  WorkerOptions options;
  options.delayed_submission = true;
  {
    auto worker = createContext()->createWorker(options);
    auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
    (void)endpoint->tagSend(nullptr, 0, Tag{1}, false, ended.callback());
    (void)worker->tagRecv(nullptr, 0, Tag{2}, TagMaskFull, false, ended.callback());
  }
  EXPECT_EQ(ended.ended, ended.posted);
}

TEST(LifetimeTest, MorePostsThanARoundTakesEndWithTheWorker) {
  Ended ended;
  WorkerOptions options;
  options.delayed_submission = true;
  {
    auto worker = createContext()->createWorker(options);
    for (unsigned i = 0; i < 5000; ++i)
      (void)worker->tagRecv(nullptr, 0, Tag{i}, TagMaskFull, false, ended.callback());
  }
  EXPECT_EQ(ended.ended, ended.posted);
}

TEST(LifetimeTest, DelayedSubmissionsOutliveTheirFailedEndpoint) {
  for (const bool starts : {false, true}) {
    Ended ended;
    WorkerOptions options;
    options.delayed_submission = true;
    auto worker = createContext()->createWorker(options);
    {
      auto endpoint = worker->createEndpointFromHostname("127.0.0.1", 1);
      (void)endpoint->tagSend(nullptr, 0, Tag{1}, false, ended.callback());
      (void)endpoint->tagRecv(nullptr, 0, Tag{2}, TagMaskFull, false, ended.callback());
      (void)endpoint->amRecv(false, ended.callback());
      (void)endpoint->flush(false, ended.callback());
    }
    auto later = worker->createEndpointFromHostname("127.0.0.1", 1);
    ASSERT_TRUE(compat::until({worker}, [&] { return !later->isAlive(); }));
    for (int i = 0; i < 1000; ++i) worker->progress();
    (void)worker->describe();
    if (starts) {
      worker->startProgressThread(ProgressOptions{});
      ASSERT_TRUE(compat::until({worker}, [&] { return ended.ended == ended.posted; }));
    }
    later = nullptr;
    worker = nullptr;
    EXPECT_EQ(ended.ended, ended.posted);
  }
}

TEST(LifetimeTest, LastWorkerReferenceGoesInACallbackOfACancel) {
  const auto once = [] {
    auto worker = createContext()->createWorker();
    std::weak_ptr<Worker> watched = worker;
    auto held = std::make_shared<std::shared_ptr<Request>>();
    bool called = false;
    *held = worker->tagRecv(nullptr, 0, Tag{1}, TagMaskFull, false,
                            [&, held](ucs_status_t, std::shared_ptr<void>) {
                              called = true;
                              *held = nullptr;
                            });
    worker = nullptr;
    (*held)->cancel();
    EXPECT_TRUE(called);
    EXPECT_TRUE(watched.expired());
  };
  once();
  const std::size_t descriptors = openDescriptors();
  for (int i = 0; i < 3; ++i) once();
  EXPECT_EQ(openDescriptors(), descriptors);
}

TEST(LifetimeTest, ActiveMessageOnItsWayToAReceiverDoesNotHoldTheWorker) {
  Received received;
  Ends ends(Route::Address);
  registerReceiver(*ends.right_worker, received);
  Sending sending(Move::AmCallback, *ends.left, bytes(64 << 20));
  ASSERT_TRUE(ends.until([&] { return ends.right_worker->stats().messages_received > 0; }));
  ASSERT_EQ(received.count, 0);
  std::weak_ptr<Worker> watched = ends.right_worker;
  ends.right = nullptr;
  ends.right_worker = nullptr;
  const auto told =
      std::exchange(received.last, nullptr);  // its user's own hold, once it has ended
  EXPECT_TRUE(told == nullptr || UCS_STATUS_IS_ERR(told->getStatus()));
  if (told != nullptr) told->setParent(nullptr);
  EXPECT_TRUE(watched.expired());
  ASSERT_TRUE(compat::until(
      {ends.left_worker}, [&] { return sending.request->isCompleted() && !ends.left->isAlive(); }));
}

TEST(LifetimeTest, UnmatchedMessagesGoWithTheirWorker) {
  std::shared_ptr<TagProbeInfo> removed;
  for (const Route route : kRoutes) {
    std::vector<std::unique_ptr<Sending>> sends;
    Ends ends(route);
    for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::Multi}) {
      for (const std::size_t size : {std::size_t{100}, std::size_t{100000}, kAnnouncedBytes}) {
        sends.push_back(std::make_unique<Sending>(move, *ends.left, bytes(size)));
        sends.back()->request = nullptr;
      }
    }
    ASSERT_TRUE(ends.arrived(ends.right_worker, kTag));
    removed = ends.right_worker->tagProbe(kTag, TagMaskFull, true);
    for (int i = 0; i < 100; ++i) ends.left_worker->progress(), ends.right_worker->progress();
  }
  removed = nullptr;
}

/// Nobody has asked for them: a peer that goes is no reason for alarm.
TEST(LifetimeTest, ADroppedWorkerCausesNoAlarmingLines) {
  std::vector<std::string> lines;
  setLogSink([&](LogLevel level, std::string_view component, std::string_view text) {
    if (level <= LogLevel::Warn) lines.push_back(std::string(component) + ": " + std::string(text));
  });
  for (const Protocol& protocol : kProtocols) {
    for (const Route route : {Route::Listener, Route::Address}) {
      SCOPED_TRACE(std::string(protocol.name) + nameOf(route));
      const auto sent = bytes(protocol.size);
      Ends ends(route);
      const auto send = ends.right->tagSend(sent.data(), sent.size(), kTag);
      ASSERT_TRUE(ends.arrived(ends.left_worker, kTag));
      ends.left = nullptr;
      ends.left_worker = nullptr;
      // A piece that UCX has may end behind its endpoint.
      ASSERT_TRUE(compat::until({ends.right_worker},
                                [&] { return !ends.right->isAlive() && send->isCompleted(); }));
    }
  }
  setLogSink(nullptr);
  EXPECT_EQ(lines, std::vector<std::string>{});
}

/// What the header of `Request` promises of a send that has no request of its own.
TEST(LifetimeTest, SendsThatEndInTheirCallMayShareARequest) {
  Ends ends(Route::Listener);
  if (!ends.isLocal()) return;  // over UCX each send has a request of its own
  const auto sent = bytes(8);
  const auto first = ends.left->tagSend(sent.data(), sent.size(), kTag);
  const auto second = ends.left->tagSend(sent.data(), sent.size(), kTag);
  ASSERT_TRUE(first->isCompleted());
  EXPECT_EQ(first, second);
  EXPECT_TRUE(std::weak_ptr<Request>(first).expired());
  EXPECT_EQ(first->getParent(), nullptr);
  first->cancel();
  EXPECT_FALSE(first->giveBack());
  EXPECT_TRUE(first->wait());
  EXPECT_EQ(first->getStatus(), UCS_OK);
}

TEST(LifetimeTest, AWeakPointerTellsThatARequestHasGone) {
  Ends ends(Route::Listener);
  std::byte byte{};
  auto receive = ends.right->tagRecv(&byte, 1, kTag);
  const std::weak_ptr<Request> waiting = receive;
  EXPECT_EQ(waiting.lock(), receive);
  receive = nullptr;
  EXPECT_TRUE(waiting.expired());
  const auto sent = bytes(1);
  const auto send = ends.left->tagSend(sent.data(), 1, kTag);
  ASSERT_TRUE(ends.until([&] { return byte == sent[0]; }));  // it goes on without its user

  auto over = ends.right->tagRecv(&byte, 1, kTag);
  std::weak_ptr<Request> ended = over;
  ASSERT_TRUE(ends.ended({over, ends.left->tagSend(sent.data(), 1, kTag)}));
  over = nullptr;
  EXPECT_EQ(ended.lock(), nullptr);
  const auto next = ends.right->tagRecv(&byte, 1, kTag);
  EXPECT_EQ(ended.lock(), nullptr);
  EXPECT_FALSE(next->isCompleted());
}

}  // namespace
}  // namespace ucxx::core::test
