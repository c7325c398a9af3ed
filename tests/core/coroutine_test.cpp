// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Coroutines that await requests.

#include <csignal>
#include <iostream>

#include <sys/wait.h>

#include "core/running.h"
#include "peers/process.h"

namespace ucxx::core::test {

int runRole(const std::vector<std::string>& words) {
  auto worker = createContext()->createWorker();
  auto endpoint =
      worker->createEndpointFromHostname(words[1], static_cast<std::uint16_t>(std::stoi(words[2])));
  endpoint->tagSend(nullptr, 0, Tag{1})->wait();
  for (;;) worker->progress();
}

namespace {

using namespace std::chrono_literals;

Running awaitStatus(std::shared_ptr<Request> request, ucs_status_t& status) {
  status = co_await statusOf(request);
}

TEST(CoroutineTest, EndedRequestSuspendsNobody) {
  auto worker = makeWorker();
  auto self = worker->createEndpointFromWorkerAddress(worker->getAddress());
  int in = 0;
  const int out = 42;
  auto receive = worker->tagRecv(&in, sizeof in, kPing);
  auto send = self->tagSend(&out, sizeof out, kPing);
  ASSERT_TRUE(compat::ended({worker}, {send, receive}));
  int steps = 0;
  const auto running = [](auto& s, auto& r, int& count) -> Running {
    co_await s;
    ++count;
    co_await statusOf(r);
    ++count;
  }(send, receive, steps);
  EXPECT_TRUE(running.isOver());  // without any progress
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(in, 42);
}

TEST(CoroutineTest, GoesOnWhenTheRequestEndsAndNotBefore) {
  Ends ends(Route::Listener);
  int in = 0;
  bool after = false;
  auto receive = ends.right->tagRecv(&in, sizeof in, kPing);
  const auto running = await(receive, after);
  for (int i = 0; i < 100; ++i) ends.right_worker->progress();
  EXPECT_FALSE(after);
  const int out = 42;
  auto send = ends.left->tagSend(&out, sizeof out, kPing);
  EXPECT_TRUE(ends.until([&] { return running.isOver(); }));
  EXPECT_TRUE(after);
  EXPECT_EQ(in, 42);
}

TEST(CoroutineTest, RequestIsHeldWhileItIsAwaited) {
  Ends ends(Route::Listener);
  bool after = false;
  std::shared_ptr<Request> receive = ends.right->tagRecv(nullptr, 0, kPing);
  const std::weak_ptr<Request> watched = receive;
  const auto running = await(std::move(receive), after);
  EXPECT_FALSE(watched.expired());
  auto send = ends.left->tagSend(nullptr, 0, kPing);
  EXPECT_TRUE(ends.until([&] { return running.isOver(); }));
  EXPECT_TRUE(watched.expired());
}

TEST(CoroutineTest, AwaitedVariableMayBeAssignedMeanwhile) {
  Ends ends(Route::Listener);
  char room = 0;
  std::shared_ptr<Request> request = ends.right->tagRecv(&room, 0, kPing);
  const auto running = [](std::shared_ptr<Request>& variable) -> Running {
    co_await variable;
  }(request);
  request = nullptr;
  char out[2]{};
  auto send = ends.left->tagSend(out, sizeof out, kPing);  // too long for it
  EXPECT_TRUE(ends.until([&] { return running.isOver(); }));
  EXPECT_THROW(running.rethrow(), MessageTruncatedError);
}

TEST(CoroutineTest, NullIsAnError) {
  bool after = false;
  EXPECT_THROW(await(nullptr, after).rethrow(), std::invalid_argument);
}

TEST(CoroutineTest, CancelIsThrownOrTold) {
  auto worker = makeWorker();
  bool after = false;
  ucs_status_t status = UCS_OK;
  auto receive = worker->tagRecv(nullptr, 0, kPing);
  const auto throwing = await(receive, after);
  const auto telling = awaitStatus(receive, status);
  receive->cancel();
  ASSERT_TRUE(compat::until({worker}, [&] { return throwing.isOver() && telling.isOver(); }));
  EXPECT_THROW(throwing.rethrow(), CanceledError);
  EXPECT_FALSE(after);
  EXPECT_EQ(status, UCS_ERR_CANCELED);
}

TEST(CoroutineTest, PeerThatClosesEndsTheWait) {
  Ends ends(Route::Listener);
  ucs_status_t status = UCS_OK;
  int in = 0;
  const auto running = awaitStatus(ends.right->streamRecv(&in, sizeof in, false), status);
  auto close = ends.left->close();
  ASSERT_TRUE(ends.until([&] { return running.isOver(); }));
  EXPECT_LT(status, UCS_OK);
}

TEST(CoroutineTest, PeerThatIsKilledEndsTheWait) {
  auto worker = makeWorker();
  struct Accepted {
    std::shared_ptr<Listener> listener;
    std::shared_ptr<Endpoint> endpoint;
  } accepted;
  const auto accept = [](ucp_conn_request_h request, void* argument) {
    auto& self = *static_cast<Accepted*>(argument);
    self.endpoint = self.listener->createEndpointFromConnRequest(request);
  };
  accepted.listener = worker->createListener(0, accept, &accepted, "127.0.0.1");
  Process peer({"stay", "127.0.0.1", std::to_string(accepted.listener->getPort())});
  ASSERT_TRUE(compat::until({worker}, [&] { return accepted.endpoint != nullptr; }));
  int in = 0;
  ucs_status_t first = UCS_INPROGRESS, second = UCS_OK;
  const auto running = [](Endpoint& endpoint, int& room, auto& one, auto& two) -> Running {
    one = co_await statusOf(endpoint.tagRecv(nullptr, 0, kPing));
    two = co_await statusOf(endpoint.tagRecv(&room, sizeof room, kPong));
  }(*accepted.endpoint, in, first, second);
  ASSERT_TRUE(compat::until({worker}, [&] { return first == UCS_OK; }));
  peer.signal(SIGKILL);
  ASSERT_TRUE(compat::until({worker}, [&] { return running.isOver(); }));
  EXPECT_LT(second, UCS_OK);
}

TEST(CoroutineTest, TwoCoroutinesMayAwaitOneRequestAndOneTwice) {
  Ends ends(Route::Listener);
  bool after[3]{};
  auto receive = ends.right->tagRecv(nullptr, 0, kPing);
  const auto first = await(receive, after[0]);
  const auto second = await(receive, after[1]);
  const auto twice = [](std::shared_ptr<Request> request, bool& done) -> Running {
    co_await request;
    co_await request;
    done = true;
  }(receive, after[2]);
  auto send = ends.left->tagSend(nullptr, 0, kPing);
  EXPECT_TRUE(ends.until([&] { return first.isOver() && second.isOver() && twice.isOver(); }));
  EXPECT_TRUE(after[0] && after[1] && after[2]);
}

/// Each of several that await one request, destroyed while it does.
TEST(CoroutineTest, SuspendedOneMayBeDestroyed) {
  for (int victim = 0; victim < 3; ++victim) {
    SCOPED_TRACE(victim);
    Ends ends(Route::Listener);
    bool after[3]{};
    std::shared_ptr<Request> receive = ends.right->tagRecv(nullptr, 0, kPing);
    Running running[] = {await(receive, after[0]), await(receive, after[1]),
                         await(receive, after[2])};
    running[victim].destroy();
    auto send = ends.left->tagSend(nullptr, 0, kPing);
    EXPECT_TRUE(ends.ended({send, receive}));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(after[i], i != victim) << i;
  }
}

/// Of two that await one request, who goes on first destroys the other and drops the request.
TEST(CoroutineTest, OneMayDestroyAnother) {
  Ends ends(Route::Listener);
  Running other[2];
  int gone_on = 0;
  std::shared_ptr<Request> receive = ends.right->tagRecv(nullptr, 0, kPing);
  const std::weak_ptr<Request> watched = receive;
  for (int i = 0; i < 2; ++i) {
    other[1 - i] = [](std::shared_ptr<Request> request, Running& victim, int& count) -> Running {
      co_await request;
      ++count;
      victim.destroy();
    }(receive, other[i], gone_on);
  }
  receive = nullptr;
  auto send = ends.left->tagSend(nullptr, 0, kPing);
  EXPECT_TRUE(ends.until([&] { return watched.expired(); }));
  EXPECT_EQ(gone_on, 1);
}

TEST(CoroutineTest, DestroyedOneIsNotCalledWhenTheWorkerEnds) {
  auto worker = makeWorker();
  bool after = false;
  Running running = await(worker->tagRecv(nullptr, 0, kPing), after);
  running.destroy();
  worker = nullptr;  // ends the receive
  EXPECT_FALSE(after);
}

TEST(CoroutineTest, WhatAContinuationThrowsIsLoggedAndOthersAreCalled) {
  struct Throws final : Continuation {
    void onEnd() override {
      ++calls;
      throw std::runtime_error("thrown by a test");
    }
    int calls = 0;
  } one, two;
  std::vector<std::string> lines;
  setLogSink([&](LogLevel level, std::string_view, std::string_view line) {
    if (level == LogLevel::Error) lines.emplace_back(line);
  });
  auto worker = makeWorker();
  auto receive = worker->tagRecv(nullptr, 0, kPing);
  EXPECT_TRUE(receive->attach(one));
  EXPECT_TRUE(receive->attach(two));
  receive->cancel();
  EXPECT_TRUE(compat::ended({worker}, {receive}));
  setLogSink(nullptr);
  EXPECT_EQ(one.calls + two.calls, 2);
  EXPECT_EQ(lines, std::vector<std::string>(2, "a continuation threw: thrown by a test"));
  EXPECT_FALSE(receive->attach(one));
  receive->detach(one);  // not attached: nothing happens
}

TEST(CoroutineTest, CallbackRunsBefore) {
  Ends ends(Route::Listener);
  std::vector<int> order;
  auto receive =
      ends.right->tagRecv(nullptr, 0, kPing, TagMaskFull, false,
                          [&](ucs_status_t, std::shared_ptr<void>) { order.push_back(1); });
  const auto running = [](std::shared_ptr<Request> request, auto& list) -> Running {
    co_await request;
    list.push_back(2);
  }(receive, order);
  auto send = ends.left->tagSend(nullptr, 0, kPing);
  EXPECT_TRUE(ends.until([&] { return running.isOver(); }));
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(CoroutineTest, WorkerForASingleThread) {
  auto worker = makeWorker({.single_thread = true});
  auto self = worker->createEndpointFromWorkerAddress(worker->getAddress());
  bool after = false;
  const auto running = await(worker->tagRecv(nullptr, 0, kPing), after);
  EXPECT_FALSE(after);
  auto send = self->tagSend(nullptr, 0, kPing);
  EXPECT_TRUE(compat::until({worker}, [&] { return running.isOver(); }));
  EXPECT_TRUE(after);
}

TEST(CoroutineTest, ForkedChildIsToldInsteadOfWaiting) {
  auto worker = makeWorker();
  auto receive = worker->tagRecv(nullptr, 0, kPing);
  const pid_t child = ::fork();
  if (child == 0) {
    bool after = false;
    const auto running = await(receive, after);
    try {
      running.rethrow();
    } catch (const Error& error) {
      ::_exit(std::string(error.what()).find("fork") != std::string::npos ? 0 : 1);
    } catch (...) {
    }
    ::_exit(2);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace ucxx::core::test
