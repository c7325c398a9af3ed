// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Listeners, endpoints, and how both end.

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

using compat::kLarge;
using compat::makeWorker;
using compat::Pair;
using compat::pattern;
using compat::Progress;
using compat::Self;

void ignore(ucp_conn_request_h, void*) {}

/// A port where nobody listens.
std::uint16_t closedPort() { return makeWorker()->createListener(0, ignore, nullptr)->getPort(); }

TEST(CompatListenerTest, PortZeroPicksOne) {
  auto worker = makeWorker();
  auto listener = worker->createListener(0, ignore, nullptr);
  EXPECT_GE(listener->getPort(), 1024);
  EXPECT_FALSE(listener->getIp().empty());
  EXPECT_NE(listener->getHandle(), nullptr);
  EXPECT_EQ(listener->getParent(), worker);
}

TEST(CompatListenerTest, BuilderRestrictsTheHost) {
  auto worker = makeWorker();
  const auto listener = worker->listenerBuilder(0, ignore, nullptr).host("127.0.0.1").build();
  EXPECT_EQ(listener->getIp(), "127.0.0.1");
  EXPECT_THROW(worker->listenerBuilder(0, ignore, nullptr).host("no such host").build(),
               ucxx::Error);
  ucxx::ListenerBuilder builder(worker, 0, ignore, nullptr);
  EXPECT_NE(builder.build()->getPort(), builder.build()->getPort());
}

TEST(CompatListenerTest, TakenPortThrows) {
  auto worker = makeWorker();
  auto listener = worker->createListener(0, ignore, nullptr);
  EXPECT_THROW(worker->createListener(listener->getPort(), ignore, nullptr), ucxx::Error);
}

struct Greeter {
  std::shared_ptr<ucxx::Listener> listener;
  std::shared_ptr<ucxx::Endpoint> endpoint;
  std::shared_ptr<ucxx::Request> send;
  std::string greeting = "welcome";

  static void accept(ucp_conn_request_h request, void* argument) {
    auto* self = static_cast<Greeter*>(argument);
    self->endpoint = self->listener->createEndpointFromConnRequest(request, true);
    self->send =
        self->endpoint->tagSend(self->greeting.data(), self->greeting.size(), ucxx::Tag{1});
  }
};

TEST(CompatListenerTest, CallbackMayCreateTheEndpointAndSendOnIt) {
  auto server = makeWorker();
  auto client = makeWorker();
  Greeter greeter;
  greeter.listener = server->createListener(0, &Greeter::accept, &greeter);
  auto endpoint = client->createEndpointFromHostname("127.0.0.1", greeter.listener->getPort());
  std::string received(greeter.greeting.size(), ' ');
  auto receive = endpoint->tagRecv(received.data(), received.size(), ucxx::Tag{1});
  ASSERT_TRUE(compat::ended({server, client}, {receive}));
  EXPECT_EQ(received, greeter.greeting);
  EXPECT_EQ(greeter.endpoint->getParent(), greeter.listener);
  EXPECT_EQ(greeter.endpoint->getWorker(), server);
  EXPECT_TRUE(compat::ended({server, client}, {greeter.send}));
}

struct Keeper {
  std::atomic<ucp_conn_request_h> request{nullptr};
  static void keep(ucp_conn_request_h request, void* self) {
    static_cast<Keeper*>(self)->request = request;
  }
};

TEST(CompatListenerTest, RequestsMayBeAnsweredLater) {
  auto server = makeWorker();
  auto client = makeWorker();
  Keeper keeper;
  auto listener = server->createListener(0, &Keeper::keep, &keeper);
  std::shared_ptr<ucxx::Endpoint> to_server =
      client->endpointBuilder("127.0.0.1", listener->getPort());
  ASSERT_TRUE(compat::until({server, client}, [&] { return keeper.request != nullptr; }));
  auto to_client = listener->endpointBuilder(keeper.request).endpointErrorHandling(false).build();
  char sent = 3;
  char received = 0;
  EXPECT_TRUE(compat::ended({server, client}, {to_server->tagSend(&sent, 1, ucxx::Tag{0}),
                                               to_client->tagRecv(&received, 1, ucxx::Tag{0})}));
  EXPECT_EQ(received, 3);
  EXPECT_THROW(listener->createEndpointFromConnRequest(keeper.request), std::invalid_argument);
}

TEST(CompatListenerTest, RejectedPeerSeesItsEndpointFail) {
  auto server = makeWorker();
  auto client = makeWorker();
  Keeper keeper;
  auto listener = server->createListener(0, &Keeper::keep, &keeper);
  auto endpoint = client->createEndpointFromHostname("127.0.0.1", listener->getPort());
  ucs_status_t status = UCS_INPROGRESS;
  endpoint->setCloseCallback([&](ucs_status_t reason, std::shared_ptr<void>) { status = reason; },
                             nullptr);
  ASSERT_TRUE(compat::until({server, client}, [&] { return keeper.request != nullptr; }));
  EXPECT_EQ(listener->queryConnRequest(keeper.request).ip, "127.0.0.1");
  listener->reject(keeper.request);
  ASSERT_TRUE(compat::until({server, client}, [&] { return status != UCS_INPROGRESS; }));
  EXPECT_EQ(status, UCS_ERR_REJECTED);
  EXPECT_THROW(endpoint->raiseOnError(), ucxx::RejectedError);
}

TEST(CompatListenerTest, DestroyedListenerRefusesPeers) {
  auto server = makeWorker();
  auto listener = server->createListener(0, ignore, nullptr);
  const auto port = listener->getPort();
  listener.reset();
  auto client = makeWorker();
  auto endpoint = client->createEndpointFromHostname("127.0.0.1", port);
  EXPECT_TRUE(compat::until({server, client}, [&] { return !endpoint->isAlive(); }));
}

TEST(CompatEndpointTest, ConnectReturnsAtOnceAndFailsThroughTheCloseCallback) {
  for (const auto progress : {Progress::Caller, Progress::BlockingThread}) {
    auto worker = makeWorker();
    compat::start(*worker, progress);
    auto endpoint = worker->createEndpointFromHostname("127.0.0.1", closedPort(), true);
    std::atomic<int> calls{0};
    std::atomic<ucs_status_t> status{UCS_OK};
    try {
      endpoint->setCloseCallback(
          [&](ucs_status_t reason, std::shared_ptr<void> data) {
            EXPECT_EQ(*std::static_pointer_cast<int>(data), 6);
            status = reason;
            ++calls;
          },
          std::make_shared<int>(6));
    } catch (const std::runtime_error&) {
      continue;  // the progress thread was faster
    }
    ASSERT_TRUE(compat::until({worker}, [&] { return calls > 0; }));
    EXPECT_TRUE(UCS_STATUS_IS_ERR(status.load()));
    EXPECT_FALSE(endpoint->isAlive());
    EXPECT_THROW(endpoint->raiseOnError(), ucxx::Error);
    endpoint->closeBlocking();
    EXPECT_EQ(calls, 1);
  }
}

TEST(CompatEndpointTest, UnresolvableNameThrows) {
  EXPECT_THROW(makeWorker()->createEndpointFromHostname("no such host", 1), ucxx::Error);
}

TEST(CompatEndpointTest, WithoutErrorHandlingItNeverReportsFailure) {
  Pair pair(Progress::Caller, false);
  EXPECT_TRUE(pair.client->isAlive());
  pair.server->closeBlocking();
  auto receive = pair.client->amRecv();
  ASSERT_TRUE(pair.wait({receive}));
  EXPECT_TRUE(UCS_STATUS_IS_ERR(receive->getStatus()));
  EXPECT_TRUE(pair.client->isAlive());
  EXPECT_NO_THROW(pair.client->raiseOnError());
}

TEST(CompatEndpointTest, CloseLetsSendsArrive) {
  Pair pair;
  const auto sent = pattern(kLarge);
  std::vector<std::uint8_t> received(kLarge);
  auto receive = pair.server->tagRecv(received.data(), kLarge, ucxx::Tag{1});
  auto send = pair.client->tagSend(sent.data(), kLarge, ucxx::Tag{1});
  auto close = pair.client->close();
  ASSERT_NE(close, nullptr);
  EXPECT_NE(std::dynamic_pointer_cast<ucxx::RequestEndpointClose>(close), nullptr);
  EXPECT_TRUE(pair.wait({receive, send, close}));
  EXPECT_EQ(send->getStatus(), UCS_OK);
  EXPECT_EQ(received, sent);
  EXPECT_EQ(pair.client->close(), nullptr);
  EXPECT_EQ(pair.client->closeBuilder().build(), nullptr);
}

TEST(CompatEndpointTest, BothCloseCallbacksRun) {
  Pair pair;
  int from_close = 0;
  int from_endpoint = 0;
  pair.client->setCloseCallback([&](ucs_status_t, std::shared_ptr<void>) { ++from_endpoint; },
                                nullptr);
  auto close = pair.client->close(
      false, [&](ucs_status_t, std::shared_ptr<void>) { ++from_close; }, nullptr);
  EXPECT_TRUE(pair.wait({close}));
  EXPECT_TRUE(pair.until([&] { return from_endpoint > 0; }));
  pair.client.reset();
  EXPECT_EQ(from_close, 1);
  EXPECT_EQ(from_endpoint, 1);
}

TEST(CompatEndpointTest, CloseBlockingCancelsThenClosesOnce) {
  for (const auto progress : {Progress::Caller, Progress::BlockingThread}) {
    Pair pair(progress);
    char buffer = 0;
    auto receive = pair.client->tagRecv(&buffer, 1, ucxx::Tag{1});
    auto am = pair.client->amRecv();
    EXPECT_NE(pair.client->getHandle(), nullptr);
    pair.client->closeBlocking();
    pair.client->closeBlocking(1'000'000'000, 2);
    EXPECT_TRUE(pair.wait({receive, am}));
    EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
    EXPECT_EQ(am->getStatus(), UCS_ERR_CANCELED);
    EXPECT_EQ(pair.client->getHandle(), nullptr);
    EXPECT_FALSE(pair.client->isAlive());
    EXPECT_THROW(pair.client->tagSend(&buffer, 1, ucxx::Tag{1}), ucxx::Error);
    EXPECT_EQ(pair.client->getCancelingSize(), 0u);
  }
}

TEST(CompatEndpointTest, CloseCallbackMayDropTheLastReference) {
  for (const auto progress : {Progress::Caller, Progress::BlockingThread}) {
    Pair pair(progress);
    std::atomic<bool> called{false};
    std::weak_ptr<ucxx::Endpoint> watched = pair.client;
    pair.client->setCloseCallback(
        [&](ucs_status_t, std::shared_ptr<void>) {
          pair.client.reset();
          called = true;
        },
        nullptr);
    pair.server->closeBlocking();
    ASSERT_TRUE(pair.until([&] { return called.load(); }));
    EXPECT_TRUE(pair.until([&] { return watched.expired(); }));
  }
}

TEST(CompatEndpointTest, CloseCallbackIsClearedAndRefusedOnceClosing) {
  Pair pair;
  int calls = 0;
  pair.client->setCloseCallback([&](ucs_status_t, std::shared_ptr<void>) { ++calls; }, nullptr);
  pair.client->setCloseCallback(nullptr, nullptr);
  pair.client->closeBlocking();
  EXPECT_EQ(calls, 0);
  EXPECT_THROW(pair.client->setCloseCallback([](ucs_status_t, std::shared_ptr<void>) {},
                                             std::make_shared<int>(0)),
               std::runtime_error);
  EXPECT_NO_THROW(pair.client->setCloseCallback(nullptr, nullptr));
}

TEST(CompatEndpointTest, DestructorCallsTheCloseCallback) {
  Pair pair;
  int calls = 0;
  pair.client->setCloseCallback([&](ucs_status_t, std::shared_ptr<void>) { ++calls; }, nullptr);
  pair.client.reset();
  EXPECT_TRUE(pair.until([&] { return calls > 0; }));
  EXPECT_EQ(calls, 1);
}

TEST(CompatEndpointTest, PeersCloseEndsWhatIsOpen) {
  Pair pair;
  char buffer = 0;
  auto receive = pair.server->tagRecv(&buffer, 1, ucxx::Tag{1});
  auto am = pair.server->amRecv();
  pair.client->closeBlocking();
  ASSERT_TRUE(pair.wait({receive, am}));
  EXPECT_TRUE(UCS_STATUS_IS_ERR(receive->getStatus()));
  EXPECT_THROW(am->checkError(), ucxx::Error);
  EXPECT_FALSE(pair.server->isAlive());
  EXPECT_NO_THROW(pair.server_worker->cancelInflightRequests());
}

TEST(CompatEndpointTest, CancelInflightRequestsCountsThem) {
  Pair pair;
  char buffer = 0;
  compat::Requests receives{pair.client->tagRecv(&buffer, 1, ucxx::Tag{1}), pair.client->amRecv()};
  EXPECT_EQ(pair.client->cancelInflightRequests(), 2u);
  EXPECT_TRUE(pair.wait(receives));
  receives = {pair.client->tagRecv(&buffer, 1, ucxx::Tag{1})};
  EXPECT_EQ(pair.client->cancelInflightRequestsBlocking(1'000'000'000, 2), 1u);
  EXPECT_TRUE(receives[0]->isCompleted());
}

TEST(CompatEndpointTest, HandlesAreUniqueKeys) {
  auto worker = makeWorker();
  auto first = worker->createEndpointFromWorkerAddress(worker->getAddress());
  auto second = worker->createEndpointFromWorkerAddress(worker->getAddress());
  EXPECT_NE(first->getHandle(), nullptr);
  EXPECT_NE(first->getHandle(), second->getHandle());
}

TEST(CompatEndpointTest, FreeFunctionsMakeTheSame) {
  auto worker = makeWorker();
  auto listener = ucxx::createListener(worker, 0, ignore, nullptr);
  auto by_name = ucxx::createEndpointFromHostname(worker, "localhost", listener->getPort(), true);
  auto by_address = ucxx::createEndpointFromWorkerAddress(worker, worker->getAddress(), false);
  EXPECT_TRUE(by_name->isAlive());
  EXPECT_TRUE(by_address->isAlive());
}

}  // namespace
