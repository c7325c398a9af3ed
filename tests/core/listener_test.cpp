// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Listeners, and what becomes of those who ask them.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

/// A listener that keeps what it is asked.
struct Server {
  std::shared_ptr<Worker> worker = createContext()->createWorker();
  std::vector<ucp_conn_request_h> requests;
  std::shared_ptr<Listener> listener = listen(0);
  std::shared_ptr<Worker> client = createContext()->createWorker();

  std::shared_ptr<Listener> listen(std::uint16_t port) {
    return worker->createListener(
        port,
        [](ucp_conn_request_h request, void* self) {
          static_cast<Server*>(self)->requests.push_back(request);
        },
        this, "127.0.0.1");
  }
  Workers workers() const { return {worker, client}; }
  std::shared_ptr<Endpoint> call() {
    return client->createEndpointFromHostname("127.0.0.1", listener->getPort());
  }
  [[nodiscard]] bool isAsked(std::size_t times) {
    return compat::until(workers(), [&] { return requests.size() == times; });
  }
};

struct Pending {
  explicit Pending(Endpoint& endpoint) : buffer(kAnnouncedBytes) {
    requests = {endpoint.tagRecv(buffer.data(), 8, Tag{1}),
                endpoint.amRecv(),
                endpoint.streamRecv(buffer.data(), 8, false),
                endpoint.tagMultiRecv(Tag{1}, TagMaskFull),
                endpoint.tagSend(buffer.data(), buffer.size(), Tag{2}),
                endpoint.amSend(buffer.data(), buffer.size(), UCS_MEMORY_TYPE_HOST),
                endpoint.flush()};
  }
  std::vector<std::byte> buffer;
  Requests requests;
};

TEST(ListenerTest, RejectEndsWhatIsPending) {
  Server server;
  auto endpoint = server.call();
  Pending pending(*endpoint);
  ASSERT_TRUE(server.isAsked(1));
  server.listener->reject(server.requests[0]);
  EXPECT_THROW(server.listener->reject(server.requests[0]), std::invalid_argument);
  ASSERT_TRUE(compat::until(server.workers(), [&] { return !endpoint->isAlive(); }));
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(compat::ended(server.workers(), {pending.requests[i]})) << i;
    EXPECT_EQ(pending.requests[i]->getStatus(), UCS_ERR_REJECTED) << i;
  }
  ASSERT_TRUE(compat::ended(server.workers(), {pending.requests[5]})) << server.client->describe();
  // A tag message is for whoever receives its tag.
  std::vector<std::byte> buffer(kAnnouncedBytes);
  auto receive = server.worker->tagRecv(buffer.data(), buffer.size(), Tag{2});
  ASSERT_TRUE(compat::ended(server.workers(), pending.requests)) << server.client->describe();
  receive->cancel();
  ASSERT_TRUE(compat::ended(server.workers(), {receive}));
}

TEST(ListenerTest, DroppedListenerRejectsThoseWhoWait) {
  Server server;
  auto endpoint = server.call();
  ASSERT_TRUE(server.isAsked(1));
  server.listener = nullptr;
  ASSERT_TRUE(compat::until(server.workers(), [&] { return !endpoint->isAlive(); }));
  EXPECT_THROW(endpoint->raiseOnError(), RejectedError);
}

TEST(ListenerTest, NobodyListensAnyMore) {
  Server server;
  const std::uint16_t port = server.listener->getPort();
  server.listener = nullptr;
  auto endpoint = server.client->createEndpointFromHostname("127.0.0.1", port);
  auto receive = endpoint->amRecv();
  ASSERT_TRUE(compat::ended(server.workers(), {receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_UNREACHABLE);
  EXPECT_FALSE(endpoint->isAlive());
}

TEST(ListenerTest, StopsThoughAnEndpointItAcceptedLives) {
  Server server;
  auto caller = server.call();
  ASSERT_TRUE(server.isAsked(1));
  auto accepted = server.listener->createEndpointFromConnRequest(server.requests[0]);
  auto waiting = server.call();
  ASSERT_TRUE(server.isAsked(2));
  server.listener->stop();
  server.listener->stop();
  auto late = server.call();
  ASSERT_TRUE(
      compat::until(server.workers(), [&] { return !waiting->isAlive() && !late->isAlive(); }));
  EXPECT_THROW(waiting->raiseOnError(), RejectedError);
  EXPECT_EQ(server.requests.size(), 2u);
  auto receive = accepted->amRecv();
  auto send = caller->amSend("x", 1, UCS_MEMORY_TYPE_HOST);
  ASSERT_TRUE(compat::ended(server.workers(), {receive, send}));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
}

/// The link between the two stays, for another pair.
struct KeptLink {
  explicit KeptLink(Server& server)
      : there(server.client->createEndpointFromWorkerAddress(server.worker->getAddress())),
        back(server.worker->createEndpointFromWorkerAddress(server.client->getAddress())) {
    EXPECT_TRUE(compat::until(server.workers(), [&] { return !back->getPeerAddress().empty(); }));
  }
  std::shared_ptr<Endpoint> there, back;
};

TEST(ListenerTest, NobodyListensAnyMoreThoughTheLinkLives) {
  Server server;
  const KeptLink kept(server);
  const std::uint16_t port = server.listener->getPort();
  server.listener = nullptr;
  auto stranger = createContext()->createWorker();
  for (const auto& caller : {server.client, stranger}) {
    auto late = caller->createEndpointFromHostname("127.0.0.1", port);
    ASSERT_TRUE(compat::until({server.worker, server.client, stranger},
                              [&] { return !server.requests.empty() || !late->isAlive(); }));
    EXPECT_FALSE(late->isAlive());
    EXPECT_TRUE(server.requests.empty());
  }
  EXPECT_TRUE(kept.there->isAlive() && kept.back->isAlive());
}

TEST(ListenerTest, NewOneOfTheSamePortIsAskedThoughTheLinkLives) {
  Server server;
  const KeptLink kept(server);
  auto first = server.call();
  ASSERT_TRUE(server.isAsked(1));
  const std::uint16_t port = server.listener->getPort();
  server.listener->reject(server.requests[0]);
  server.listener = nullptr;
  ASSERT_NO_THROW(server.listener = server.listen(port));
  auto second = server.call();
  ASSERT_TRUE(compat::until(server.workers(),
                            [&] { return server.requests.size() == 2 || !second->isAlive(); }));
  EXPECT_EQ(server.requests.size(), 2u);
  EXPECT_TRUE(second->isAlive());
}

TEST(ListenerTest, NewOneOfTheSamePortIsAskedThoughAnotherPairKeepsTheLink) {
  Server server;
  auto kept = server.client->createEndpointFromWorkerAddress(server.worker->getAddress());
  auto kept_peer = server.worker->createEndpointFromWorkerAddress(server.client->getAddress());
  auto first = server.call();
  ASSERT_TRUE(server.isAsked(1));
  auto first_peer = server.listener->createEndpointFromConnRequest(server.requests[0]);
  ASSERT_TRUE(compat::ended(server.workers(), {first->close()}));
  ASSERT_TRUE(compat::until(server.workers(), [&] { return !first_peer->isAlive(); }));
  first_peer = nullptr;
  const std::uint16_t port = server.listener->getPort();
  server.listener = nullptr;
  ASSERT_NO_THROW(server.listener = server.listen(port));
  auto second = server.call();
  ASSERT_TRUE(compat::until(server.workers(),
                            [&] { return server.requests.size() == 2 || !second->isAlive(); }));
  EXPECT_EQ(server.requests.size(), 2u);
  EXPECT_TRUE(second->isAlive());
  EXPECT_TRUE(kept->isAlive() && kept_peer->isAlive());
}

TEST(ListenerTest, EndpointsOutliveIt) {
  Server server;
  auto endpoint = server.call();
  ASSERT_TRUE(server.isAsked(1));
  auto peer = server.listener->createEndpointFromConnRequest(server.requests[0]);
  server.listener = nullptr;
  Received none;
  Sending sending(Move::Am, *endpoint, bytes(10));
  Receiving receiving(Move::Am, *peer, 10, none);
  ASSERT_TRUE(compat::ended(server.workers(), {sending.request, receiving.request}));
  EXPECT_TRUE(receiving.payload() == sending.payload());
}

TEST(ListenerTest, AcceptingAPeerThatHasLeftGivesAFailedEndpoint) {
  Server server;
  auto endpoint = server.call();
  ASSERT_TRUE(server.isAsked(1));
  endpoint = nullptr;
  server.client = nullptr;
  const auto end = Clock::now() + std::chrono::milliseconds(100);
  while (Clock::now() < end) server.worker->progress();
  auto peer = server.listener->createEndpointFromConnRequest(server.requests[0]);
  EXPECT_FALSE(peer->isAlive());
  auto receive = peer->amRecv();
  ASSERT_TRUE(compat::ended({server.worker}, {receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CONNECTION_RESET);
}

/// What peers have sent and nobody has asked for may take so much memory, however many they are.
TEST(ListenerTest, OfPeersThatHaveLeftTheOldestAreForgotten) {
  Server server;
  WorkerOptions options;
  options.unexpected_bytes = 1 << 15;
  server.listener = nullptr;
  server.worker = createContext()->createWorker(options);
  server.listener = server.listen(0);
  const auto sent = bytes(12'000);
  for (std::size_t i = 1; i <= 5; ++i) {
    server.client = createContext()->createWorker();
    auto endpoint = server.call();
    auto send = endpoint->amSend(sent.data(), sent.size(), UCS_MEMORY_TYPE_HOST);
    ASSERT_TRUE(server.isAsked(i));
    ASSERT_TRUE(compat::ended(server.workers(), {send}));
    send = nullptr;  // it holds its endpoint
    endpoint = nullptr;
    server.client = nullptr;
    const auto end = Clock::now() + std::chrono::milliseconds(100);
    while (Clock::now() < end) server.worker->progress();
  }
  auto& requests = server.requests;
  EXPECT_THROW((void)server.listener->queryConnRequest(requests[0]), std::invalid_argument);
  EXPECT_THROW(server.listener->reject(requests[1]), std::invalid_argument);
  EXPECT_THROW(server.listener->createEndpointFromConnRequest(requests[2]), std::invalid_argument);
  for (std::size_t i = 3; i < 5; ++i) {
    auto peer = server.listener->createEndpointFromConnRequest(requests[i]);
    EXPECT_FALSE(peer->isAlive());
    auto receive = peer->amRecv();
    ASSERT_TRUE(compat::ended({server.worker}, {receive}));
    EXPECT_EQ(receive->getStatus(), UCS_OK);
  }
}

TEST(ListenerTest, CallbackMayDropTheListener) {
  struct Dropper {
    std::shared_ptr<Worker> worker = createContext()->createWorker();
    std::shared_ptr<Listener> listener;
  } dropper;
  dropper.listener = dropper.worker->createListener(
      0, [](ucp_conn_request_h, void* self) { static_cast<Dropper*>(self)->listener = nullptr; },
      &dropper);
  auto client = createContext()->createWorker();
  auto endpoint = client->createEndpointFromHostname("127.0.0.1", dropper.listener->getPort());
  ASSERT_TRUE(compat::until({dropper.worker, client}, [&] { return !endpoint->isAlive(); }));
  EXPECT_THROW(endpoint->raiseOnError(), RejectedError);
}

std::shared_ptr<Listener> listenInto(std::vector<ucp_conn_request_h>& asked, Worker& worker) {
  return worker.createListener(
      0,
      [](ucp_conn_request_h request, void* to) {
        static_cast<std::vector<ucp_conn_request_h>*>(to)->push_back(request);
      },
      &asked, "127.0.0.1");
}

TEST(ListenerTest, TwoOfOneWorkerAreTold) {
  Server one;
  std::vector<ucp_conn_request_h> second;
  auto other = listenInto(second, *one.worker);
  auto a = one.call();
  auto b = one.client->createEndpointFromHostname("127.0.0.1", other->getPort());
  auto c = one.client->createEndpointFromHostname("127.0.0.1", other->getPort());
  ASSERT_TRUE(
      compat::until(one.workers(), [&] { return one.requests.size() == 1 && second.size() == 2; }));
}

TEST(ListenerTest, CallsToTwoInTurnReachEachItsOwn) {
  Server server;
  std::vector<ucp_conn_request_h> second;
  auto other = listenInto(second, *server.worker);
  std::vector<std::shared_ptr<Endpoint>> ends;
  const auto total = [&] { return server.requests.size() + second.size(); };
  for (std::size_t i = 0; i < 4; ++i) {
    const bool to_second = i % 2 == 1;
    const auto port = (to_second ? other : server.listener)->getPort();
    ends.push_back(server.client->createEndpointFromHostname("127.0.0.1", port));
    ASSERT_TRUE(compat::until(server.workers(), [&] { return total() > i; }));
    EXPECT_EQ(server.requests.size(), i / 2 + 1);
    EXPECT_EQ(second.size(), (i + 1) / 2);
    if (HasFailure()) return;
    ends.push_back(to_second
                       ? other->createEndpointFromConnRequest(second.back())
                       : server.listener->createEndpointFromConnRequest(server.requests.back()));
  }
}

TEST(ListenerTest, AHundredWaitForAnAnswer) {
  Server server;
  std::vector<std::shared_ptr<Endpoint>> endpoints;
  for (int i = 0; i < 100; ++i) endpoints.push_back(server.call());
  ASSERT_TRUE(server.isAsked(100));
  std::vector<std::shared_ptr<Endpoint>> peers;
  for (std::size_t i = 0; i < 100; ++i) {
    if (i % 2 == 0)
      peers.push_back(server.listener->createEndpointFromConnRequest(server.requests[i]));
    else
      server.listener->reject(server.requests[i]);
  }
  const auto alive = [&] {
    std::size_t count = 0;
    for (auto& endpoint : endpoints) count += endpoint->isAlive();
    return count;
  };
  ASSERT_TRUE(compat::until(server.workers(), [&] { return alive() == 50; }));
}

TEST(ListenerTest, FlushTellsWhenTheEndpointIsAccepted) {
  Server server;
  auto endpoint = server.call();
  auto connected = endpoint->flush();
  ASSERT_TRUE(server.isAsked(1));
  for (int i = 0; i < 1000; ++i) server.client->progress(), server.worker->progress();
  EXPECT_EQ(connected->getStatus(), UCS_INPROGRESS);
  auto of_worker = server.client->flush();  // of what was sent: nothing
  EXPECT_EQ(of_worker->getStatus(), UCS_OK);
  EXPECT_FALSE(endpoint->hasConnected());
  auto accepted = server.listener->createEndpointFromConnRequest(server.requests[0]);
  ASSERT_TRUE(compat::ended(server.workers(), {connected}));
  EXPECT_EQ(connected->getStatus(), UCS_OK);
  accepted.reset();
  ASSERT_TRUE(compat::until(server.workers(), [&] { return !endpoint->isAlive(); }));
  EXPECT_TRUE(endpoint->hasConnected());
}

TEST(ListenerTest, FlushOfAnEndpointThatIsRejectedSaysSo) {
  Server server;
  auto endpoint = server.call();
  auto connected = endpoint->flush();
  ASSERT_TRUE(server.isAsked(1));
  server.listener->reject(server.requests[0]);
  ASSERT_TRUE(compat::ended(server.workers(), {connected}));
  EXPECT_EQ(connected->getStatus(), UCS_ERR_REJECTED);
}

TEST(ListenerTest, CloseDoesNotWaitForAFlushThatWaitsForAcceptance) {
  Server server;
  auto endpoint = server.call();
  auto connected = endpoint->flush();
  auto close = endpoint->close();
  ASSERT_TRUE(compat::ended(server.workers(), {connected, close}));
  EXPECT_EQ(close->getStatus(), UCS_OK);
}

TEST(ListenerTest, PairsHaveTagsOfTheirOwn) {
  Server server;
  const auto first = server.call(), second = server.call();
  ASSERT_TRUE(server.isAsked(2));
  const auto of_first = first->getPairTags(), of_second = second->getPairTags();
  EXPECT_NE(of_first.send, of_first.receive);
  EXPECT_NE(of_first.send, of_second.send);
  EXPECT_NE(of_first.send, of_second.receive);
  const auto accepted = server.listener->createEndpointFromConnRequest(server.requests[0]);
  EXPECT_EQ(accepted->getPairTags().send, of_first.receive);
  EXPECT_EQ(accepted->getPairTags().receive, of_first.send);
  const auto by_address =
      server.client->createEndpointFromWorkerAddress(server.worker->getAddress());
  EXPECT_THROW((void)by_address->getPairTags(), UnsupportedError);
}

}  // namespace
}  // namespace ucxx::core::test
