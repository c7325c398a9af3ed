// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Coroutines that await requests, whoever moves the worker, and in several threads.

#include "core/running.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

/// Who moves the workers.
class CoroutineModeTest : public testing::TestWithParam<Mode> {};

Running serve(std::shared_ptr<Endpoint> endpoint, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    int value = 0;
    co_await endpoint->tagRecv(&value, sizeof value, kPing);
    ++value;
    co_await endpoint->tagSend(&value, sizeof value, kPong);
  }
}

Running call(std::shared_ptr<Endpoint> endpoint, int rounds, int& last) {
  for (int value = 0; value < rounds; value = last) {
    co_await endpoint->tagSend(&value, sizeof value, kPing);
    co_await endpoint->tagRecv(&last, sizeof last, kPong);
  }
}

TEST_P(CoroutineModeTest, PingPong) {
  Ends ends(Route::Listener, GetParam());
  constexpr int kRounds = 300;
  int last = 0;
  const auto server = serve(ends.right, kRounds);
  const auto client = call(ends.left, kRounds, last);
  ASSERT_TRUE(ends.until([&] { return server.isOver() && client.isOver(); }));
  server.rethrow();
  client.rethrow();
  EXPECT_EQ(last, kRounds);
}

TEST_P(CoroutineModeTest, GoesOnWhereTheWorkerIsMoved) {
  Ends ends(Route::Listener, GetParam());
  std::thread::id thread;
  const auto running = [](Endpoint& endpoint, std::thread::id& id) -> Running {
    co_await endpoint.tagRecv(nullptr, 0, kPing);
    id = std::this_thread::get_id();
  }(*ends.right, thread);
  auto send = ends.left->tagSend(nullptr, 0, kPing);
  ASSERT_TRUE(ends.until([&] { return running.isOver(); }));
  if (GetParam() == Mode::Event) return;  // a thread of the test
  const bool has_thread = ends.right_worker->isProgressThreadRunning();
  EXPECT_EQ(thread,
            has_thread ? ends.right_worker->getProgressThreadId() : std::this_thread::get_id());
}

TEST_P(CoroutineModeTest, AThousandAtOnce) {
  Ends ends(Route::Address, GetParam());
  constexpr int kMany = 1000;
  std::vector<int> values(kMany, -1);
  std::vector<Running> receiving;
  for (int i = 0; i < kMany; ++i)
    receiving.push_back([](Endpoint& endpoint, int& value, int tag) -> Running {
      int room = 0;
      co_await endpoint.tagRecv(&room, sizeof room, Tag{static_cast<std::uint64_t>(tag)});
      value = room;
    }(*ends.right, values[i], i));
  const auto sending = [](Endpoint& endpoint) -> Running {
    for (int i = kMany; i-- > 0;)
      co_await endpoint.tagSend(&i, sizeof i, Tag{static_cast<std::uint64_t>(i)});
  }(*ends.left);
  ASSERT_TRUE(ends.until([&] {
    return sending.isOver() && std::all_of(receiving.begin(), receiving.end(),
                                           [](const Running& one) { return one.isOver(); });
  }));
  for (int i = 0; i < kMany; ++i) ASSERT_EQ(values[i], i);
}

/// It drops all that it was made of.
TEST_P(CoroutineModeTest, LastOwnerOfTheWorkerMayBeTheCoroutine) {
  if (GetParam() == Mode::Event) return;  // there the test's thread is an owner
  Ends ends(Route::Listener, GetParam());
  auto receive = ends.right->tagRecv(nullptr, 0, kPing);
  const auto running = [](std::shared_ptr<Request> request) -> Running {
    co_await request;
  }(std::move(receive));
  auto send = ends.left->tagSend(nullptr, 0, kPing);
  const std::weak_ptr<Worker> watched = ends.right_worker;
  if (GetParam() != Mode::Caller) {  // else its progress() has it
    ends.listener = nullptr;
    ends.right = nullptr;
    ends.right_worker = nullptr;
    ASSERT_TRUE(in(compat::kDeadline, [&] { return watched.expired() && running.isOver(); }));
  } else {
    Worker& worker = *ends.right_worker;
    ends.listener = nullptr;
    ends.right = nullptr;
    ends.right_worker = nullptr;
    for (compat::Deadline time; time && !watched.expired();) {
      ends.left_worker->progress();
      worker.progress();
    }
    EXPECT_TRUE(watched.expired());
  }
  running.rethrow();
}

INSTANTIATE_TEST_SUITE_P(All, CoroutineModeTest, testing::ValuesIn(kModes),
                         [](const auto& info) { return nameOf(info.param); });

/// The end of a request races with those that begin to await it.
TEST(CoroutineRaceTest, EndsWhileItSuspends) {
  Ends ends(Route::Self, Mode::Polling);
  for (int i = 0; i < 5000; ++i) {
    bool after = false;
    auto receive = ends.right->tagRecv(nullptr, 0, kPing);
    auto send = ends.left->tagSend(nullptr, 0, kPing);
    for (int turn = i % 512; turn > 0; --turn) (void)receive->isCompleted();
    const auto running = await(std::move(receive), after);
    ASSERT_TRUE(in(compat::kDeadline, [&] { return running.isOver(); })) << i;
    ASSERT_TRUE(after);
  }
}

TEST(CoroutineRaceTest, ThreadsAwaitOneRequestWhileItEnds) {
  Ends ends(Route::Self, Mode::Polling);
  constexpr int kThreads = 3, kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    auto receive = ends.right->tagRecv(nullptr, 0, kPing);
    std::atomic<int> ready{0}, gone_on{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, request = receive] {
        const auto running = [](auto held, auto& count) -> Running {
          co_await held;
          ++count;
        };
        ++ready;
        while (ready <= kThreads) std::this_thread::yield();
        std::vector<Running> all;
        for (int j = 0; j < 10; ++j) all.push_back(running(request, gone_on));
        for (const auto& one : all)
          EXPECT_TRUE(in(compat::kDeadline, [&] { return one.isOver(); }));
      });
    while (ready < kThreads) std::this_thread::yield();
    ++ready;
    auto send = ends.left->tagSend(nullptr, 0, kPing);
    for (auto& thread : threads) thread.join();
    ASSERT_EQ(gone_on, 10 * kThreads) << round;
  }
}

/// A thread that sleeps in `wait` and coroutines: each is woken.
TEST(CoroutineRaceTest, BesideAThreadThatWaits) {
  Ends ends(Route::Listener, Mode::Blocking);
  for (const bool await_first : {false, true}) {
    SCOPED_TRACE(await_first);
    bool after = false;
    auto receive = ends.right->tagRecv(nullptr, 0, kPing);
    Running running;
    if (await_first) running = await(receive, after);
    std::atomic<bool> waited{false};
    WatchedThread waiting([&] { waited = receive->wait(compat::kDeadline); });
    EXPECT_TRUE(waiting.fallsAsleep());
    if (!await_first) running = await(receive, after);
    auto send = ends.left->tagSend(nullptr, 0, kPing);
    EXPECT_TRUE(in(compat::kDeadline, [&] { return running.isOver() && waited; }));
    EXPECT_TRUE(after);
  }
}

}  // namespace
}  // namespace ucxx::core::test
