// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A link outlives its last endpoint, and who calls the same peer again goes over it.

#include <set>
#include <string>
#include <vector>

#include "core/fixtures.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/meet/links.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

/// A worker that listens, and keeps the endpoints of all that call.
class Server {
 public:
  explicit Server(std::uint16_t port = 0) : worker(makeWorker()) { listen(port); }

  void listen(std::uint16_t port) {
    listener = worker->createListener(port, &Server::onRequest, this, "127.0.0.1");
  }
  std::uint16_t port() const { return listener->getPort(); }

  std::shared_ptr<Worker> worker;
  std::shared_ptr<Listener> listener;
  std::vector<std::shared_ptr<Endpoint>> endpoints;

 private:
  static void onRequest(ucp_conn_request_h request, void* self) {
    auto& server = *static_cast<Server*>(self);
    server.endpoints.push_back(server.listener->createEndpointFromConnRequest(request));
  }
};

class MeetingAgainTest : public testing::Test {
 protected:
  Workers workers() const { return {caller_, server_->worker}; }
  template <class Done>
  [[nodiscard]] bool until(Done done) const {
    return compat::until(workers(), done);
  }
  std::shared_ptr<Endpoint> call(std::uint16_t port) {
    return caller_->createEndpointFromHostname("127.0.0.1", port);
  }
  /// A message goes to and fro between `left` and the last endpoint of the server.
  void expectTalk(const std::shared_ptr<Endpoint>& left, std::size_t size = 100) {
    const auto sent = bytes(size);
    std::vector<std::byte> there(size), back(size);
    const auto send = left->tagSend(sent.data(), size, Tag{1});
    const auto receive = server_->worker->tagRecv(there.data(), size, Tag{1}, TagMaskFull);
    ASSERT_TRUE(until([&] { return send->isCompleted() && receive->isCompleted(); }));
    EXPECT_EQ(receive->getStatus(), UCS_OK);
    const auto answer = server_->endpoints.back()->tagSend(there.data(), size, Tag{2});
    const auto answered = left->tagRecv(back.data(), size, Tag{2});
    ASSERT_TRUE(until([&] { return answer->isCompleted() && answered->isCompleted(); }));
    EXPECT_TRUE(back == sent);
  }
  /// Calls, talks and closes at both ends.
  void meetOnce(std::uint16_t port) {
    const std::size_t before = server_->endpoints.size();
    const auto endpoint = call(port);
    ASSERT_TRUE(until([&] { return server_->endpoints.size() > before; }));
    expectTalk(endpoint);
    close(endpoint);
  }
  void close(const std::shared_ptr<Endpoint>& endpoint) {
    const Requests closes{endpoint->close(), server_->endpoints.back()->close()};
    ASSERT_TRUE(until([&] { return closes[0]->isCompleted() && closes[1]->isCompleted(); }));
    server_->endpoints.clear();
  }
  std::uint64_t callsOfDoor() const { return linksOf(server_->worker->loop()).events(); }
  std::size_t linksOfCaller() const { return linksOf(caller_->loop()).all().size(); }

  std::shared_ptr<Worker> caller_ = makeWorker();
  std::unique_ptr<Server> server_ = std::make_unique<Server>();
};

TEST_F(MeetingAgainTest, ByTheNameThatWasCalled) {
  meetOnce(server_->port());
  const auto calls = callsOfDoor();
  for (int i = 0; i < 20; ++i) meetOnce(server_->port());
  EXPECT_EQ(callsOfDoor(), calls);
  EXPECT_EQ(linksOfCaller(), 1u);
}

TEST_F(MeetingAgainTest, ByTheAddressOfTheWorker) {
  meetOnce(server_->port());
  const auto calls = callsOfDoor();
  const auto endpoint = caller_->createEndpointFromWorkerAddress(server_->worker->getAddress());
  int in = 0;
  const int out = 7;
  const auto send = endpoint->tagSend(&out, sizeof out, Tag{1});
  const auto receive = server_->worker->tagRecv(&in, sizeof in, Tag{1}, TagMaskFull);
  ASSERT_TRUE(until([&] { return send->isCompleted() && receive->isCompleted(); }));
  EXPECT_EQ(in, out);
  EXPECT_EQ(callsOfDoor(), calls);
}

TEST_F(MeetingAgainTest, WhatIsSentBeforeTheAnswerArrives) {
  meetOnce(server_->port());
  for (const std::size_t size : {std::size_t{8}, std::size_t{50'000}, kAnnouncedBytes}) {
    const auto sent = bytes(size);
    std::vector<std::byte> there(size);
    const auto endpoint = call(server_->port());
    const auto send = endpoint->tagSend(sent.data(), size, Tag{1});  // nobody has progressed yet
    const auto receive = server_->worker->tagRecv(there.data(), size, Tag{1}, TagMaskFull);
    ASSERT_TRUE(until([&] { return send->isCompleted() && receive->isCompleted(); }));
    EXPECT_EQ(send->getStatus(), UCS_OK);
    EXPECT_TRUE(there == sent);
    ASSERT_TRUE(until([&] { return !server_->endpoints.empty(); }));
    close(endpoint);
  }
}

TEST_F(MeetingAgainTest, ManyAtOnce) {
  meetOnce(server_->port());
  const auto calls = callsOfDoor();
  std::vector<std::shared_ptr<Endpoint>> endpoints;
  for (int i = 0; i < 100; ++i) endpoints.push_back(call(server_->port()));
  EXPECT_TRUE(until([&] { return server_->endpoints.size() == 100; }));
  EXPECT_EQ(callsOfDoor(), calls);
  expectTalk(endpoints.back());
}

TEST_F(MeetingAgainTest, AfterAWhileTheLinkEnds) {
  const auto before = openDescriptors();
  meetOnce(server_->port());
  EXPECT_EQ(linksOfCaller(), 1u);
  EXPECT_TRUE(until([&] { return linksOfCaller() == 0; }));
  EXPECT_TRUE(until([&] { return linksOf(server_->worker->loop()).all().empty(); }));
  const auto calls = callsOfDoor();
  meetOnce(server_->port());
  EXPECT_GT(callsOfDoor(), calls);
  EXPECT_TRUE(until([&] { return linksOfCaller() == 0; }));
  EXPECT_LE(openDescriptors(), before + 16);  // what workers open once
}

/// The worker is still there; its port is another one's.
TEST_F(MeetingAgainTest, TheListenerHasGoneAndAnotherHasItsPort) {
  const auto port = server_->port();
  meetOnce(port);
  const auto first = std::move(server_);
  first->listener = nullptr;
  const auto is_free = [&] {
    try {
      server_ = std::make_unique<Server>(port);
      return true;
    } catch (const BusyError&) {
      return false;
    }
  };
  ASSERT_TRUE(compat::until({caller_, first->worker}, is_free));
  const auto endpoint = call(port);
  ASSERT_TRUE(compat::until({caller_, first->worker, server_->worker},
                            [&] { return !server_->endpoints.empty(); }));
  expectTalk(endpoint);
  EXPECT_TRUE(first->endpoints.empty());
}

TEST_F(MeetingAgainTest, TheListenerHasGoneAndNobodyHasItsPort) {
  const auto port = server_->port();
  meetOnce(port);
  server_->listener = nullptr;
  const auto endpoint = call(port);
  const int out = 7;
  const auto send = endpoint->tagSend(&out, sizeof out, Tag{1});
  ASSERT_TRUE(until([&] { return !endpoint->isAlive(); }));
  EXPECT_THROW(endpoint->raiseOnError(), UnreachableError);
  EXPECT_TRUE(send->isCompleted());
  EXPECT_NE(send->getStatus(), UCS_OK);
}

/// The peer ends before it has answered.
TEST_F(MeetingAgainTest, TheLinkEndsWhileItIsAsked) {
  const auto port = server_->port();
  meetOnce(port);
  const auto endpoint = call(port);
  caller_->progress();
  server_ = nullptr;
  server_ = std::make_unique<Server>();
  ASSERT_TRUE(until([&] { return !endpoint->isAlive(); }));
  EXPECT_THROW(endpoint->raiseOnError(), UnreachableError);
  EXPECT_TRUE(until([&] { return linksOfCaller() == 0; }));
  meetOnce(server_->port());
}

TEST_F(MeetingAgainTest, ClosedBeforeTheAnswer) {
  meetOnce(server_->port());
  for (int i = 0; i < 10; ++i) {
    auto endpoint = call(server_->port());
    const auto closed = endpoint->close();
    ASSERT_TRUE(until([&] { return closed->isCompleted(); }));
  }
  server_->endpoints.clear();
  meetOnce(server_->port());
}

/// Both ends have said, or want to say, goodbye while the caller waits for an answer.
TEST_F(MeetingAgainTest, AGoodbyeWaitsForAnAnswerNoLongerThanItsCaller) {
  meetOnce(server_->port());
  Links& links = linksOf(caller_->loop());
  Links& links_of_server = linksOf(server_->worker->loop());
  ASSERT_TRUE(until([&] { return links.lingering() == 1 && links_of_server.lingering() == 1; }));
  const auto endpoint = call(server_->port());  // asks by the link; the server does not look yet
  links_of_server.all().front()->goodbye.stopLingering();
  for (const auto& link : links.all())
    if (link->goodbye.isLingering()) link->goodbye.stopLingering();
  const auto closed = endpoint->close();
  ASSERT_TRUE(compat::until({caller_}, [&] { return closed->isCompleted(); }));
  EXPECT_TRUE(until([&] { return linksOfCaller() == 0; }));
}

/// It makes no progress: the call ends when its time is over.
TEST_F(MeetingAgainTest, NoAnswerInTime) {
  meetOnce(server_->port());
  const auto endpoint =
      caller_->createEndpointFromHostname("127.0.0.1", server_->port(), true, 50ms);
  ASSERT_TRUE(compat::until({caller_}, [&] { return !endpoint->isAlive(); }));
  EXPECT_THROW(endpoint->raiseOnError(), TimedOutError);
  server_->endpoints.clear();
  meetOnce(server_->port());  // the late answer means nothing
}

/// Its worker computes, and another one has its port: the call does not wait for it.
TEST_F(MeetingAgainTest, TheListenerHasGoneAndItsWorkerComputes) {
  const auto port = server_->port();
  meetOnce(port);
  const auto first = std::move(server_);
  first->listener = nullptr;
  ASSERT_TRUE(compat::until({caller_, first->worker}, [&] {
    try {
      server_ = std::make_unique<Server>(port);
    } catch (const BusyError&) {
    }
    return server_ != nullptr;
  }));
  const auto endpoint = call(port);
  ASSERT_TRUE(until([&] { return !server_->endpoints.empty(); }));
  expectTalk(endpoint);
}

TEST_F(MeetingAgainTest, EachHasAnAddressOfItsOwn) {
  meetOnce(server_->port());
  std::vector<std::shared_ptr<Endpoint>> callers;
  std::set<std::string> addresses;
  for (std::size_t i = 0; i < 20; ++i) {
    callers.push_back(call(server_->port()));
    ASSERT_TRUE(until(
        [&] { return server_->endpoints.size() == i + 1 && callers.back()->hasConnected(); }));
    EXPECT_TRUE(addresses.insert(callers.back()->getLocalAddress()).second);
    EXPECT_EQ(server_->endpoints.back()->getPeerAddress(), callers.back()->getLocalAddress());
    EXPECT_EQ(server_->endpoints.back()->getLocalAddress(), callers.back()->getPeerAddress());
  }
}

/// A goodbye that crosses with an endpoint which lasts for a moment only.
TEST_F(MeetingAgainTest, WhoHasAnsweredAGoodbyeThatIsVoidMayCallSoon) {
  for (int i = 0; i < 200; ++i) {
    auto endpoint = caller_->createEndpointFromHostname("127.0.0.1", server_->port(), true, 1s);
    const int out = 7;
    const auto send = endpoint->tagSend(&out, sizeof out, Tag{1});
    endpoint = nullptr;
    for (const auto& link : linksOf(server_->worker->loop()).all()) link->goodbye.stopLingering();
    for (int turn = 0; turn < i % 7; ++turn) caller_->progress();
    ASSERT_TRUE(until([&] { return send->isCompleted(); }));
    ASSERT_EQ(send->getStatus(), UCS_OK) << i;
    server_->endpoints.clear();
  }
}

TEST_F(MeetingAgainTest, TwoListenersOfAWorker) {
  std::vector<std::shared_ptr<Endpoint>> second;
  struct Kept {
    std::vector<std::shared_ptr<Endpoint>>& endpoints;
    std::shared_ptr<Listener> listener;
  } kept{second, nullptr};
  kept.listener = server_->worker->createListener(
      0,
      [](ucp_conn_request_h request, void* self) {
        auto& its = *static_cast<Kept*>(self);
        its.endpoints.push_back(its.listener->createEndpointFromConnRequest(request));
      },
      &kept, "127.0.0.1");
  meetOnce(server_->port());
  for (int i = 0; i < 3; ++i) {
    const auto endpoint = call(kept.listener->getPort());
    ASSERT_TRUE(until([&] { return second.size() == 1; }));
    EXPECT_TRUE(server_->endpoints.empty());
    second.clear();
    meetOnce(server_->port());
  }
}

}  // namespace
}  // namespace ucxx::core::test
