// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// In the manner of the programs that use the established API: the same calls in the same order.

#include <future>
#include <mutex>
#include <numeric>
#include <variant>

#include <gtest/gtest.h>

#include <ucxx/api.h>
#include <ucxx/request_helper.h>

#include "peers.h"

namespace {

using compat::Deadline;
using compat::kDeadline;
using compat::pattern;

// The example of the house: one worker with a progress thread, a listener, two kinds of endpoints.
struct Acceptor {
  std::shared_ptr<ucxx::Listener> listener;
  std::promise<std::shared_ptr<ucxx::Endpoint>> endpoint;

  static void accept(ucp_conn_request_h request, void* argument) {
    auto* self = static_cast<Acceptor*>(argument);
    self->endpoint.set_value(self->listener->createEndpointFromConnRequest(request));
  }
};

TEST(CompatUserTest, BasicExample) {
  auto context = ucxx::createContext();
  auto worker = context->createWorker();
  worker->startProgressThread();
  Acceptor acceptor;
  acceptor.listener = worker->createListener(0, &Acceptor::accept, &acceptor);
  auto to_listener = worker->createEndpointFromHostname("127.0.0.1", acceptor.listener->getPort());
  auto accepted = acceptor.endpoint.get_future();
  ASSERT_EQ(accepted.wait_for(kDeadline), std::future_status::ready);
  auto ep1 = worker->createEndpointFromWorkerAddress(worker->getAddress());
  auto ep2 = accepted.get();
  std::vector<int> send(50);
  std::iota(send.begin(), send.end(), 0);
  std::vector<int> recv(50);
  std::vector<std::shared_ptr<ucxx::Request>> requests{
      ep1->tagSend(send.data(), send.size() * sizeof(int), 0),
      ep2->tagRecv(recv.data(), recv.size() * sizeof(int), 0)};
  ucxx::waitRequests(worker, requests);
  EXPECT_EQ(recv, send);
  EXPECT_TRUE(requests[0]->isCompleted());
  requests[0]->checkError();
  EXPECT_EQ(requests[1]->getStatus(), UCS_OK);
  requests[0]->cancel();
}

// raft: raw pointers made from integers; requests in a variant; progress until it returns true.
TEST(CompatUserTest, RaftKeepsRawPointersAndRequestsInVariants) {
  auto owner = ucxx::createContext()->createWorker();
  auto owned_endpoint = owner->createEndpointFromWorkerAddress(owner->getAddress());
  const auto worker_number = reinterpret_cast<std::size_t>(owner.get());
  const auto endpoint_number = reinterpret_cast<std::size_t>(owned_endpoint.get());
  auto* worker = reinterpret_cast<ucxx::Worker*>(worker_number);
  auto* endpoint = reinterpret_cast<ucxx::Endpoint*>(endpoint_number);
  using Pending = std::variant<int, std::shared_ptr<ucxx::Request>>;
  for (const bool builders : {false, true}) {
    const auto sent = pattern(100000);
    std::vector<std::uint8_t> received(100000);
    const std::uint64_t tag = (std::uint64_t{2} << 32) | 1;
    std::vector<Pending> pending;
    if (builders) {
      pending.emplace_back(std::shared_ptr<ucxx::Request>(
          endpoint->tagSendBuilder(sent.data(), sent.size(), ucxx::Tag(tag)).build()));
      pending.emplace_back(std::shared_ptr<ucxx::Request>(
          endpoint
              ->tagRecvBuilder(received.data(), received.size(), ucxx::Tag(tag),
                               ucxx::TagMask(~std::uint64_t{0}))
              .build()));
    } else {
      pending.emplace_back(endpoint->tagSend(sent.data(), sent.size(), ucxx::Tag(tag)));
      pending.emplace_back(endpoint->tagRecv(received.data(), received.size(), ucxx::Tag(tag),
                                             ucxx::TagMask(~std::uint64_t{0})));
    }
    const Deadline deadline;
    for (auto& entry : pending) {
      auto request = std::get<std::shared_ptr<ucxx::Request>>(entry);
      while (!request->isCompleted() && deadline)
        if (!worker->isProgressThreadRunning())
          while (!worker->progress() && !request->isCompleted() && deadline) {
          }
      ASSERT_EQ(request->getStatus(), UCS_OK);
    }
    EXPECT_EQ(received, sent);
  }
}

// TensorRT-LLM: tags only, a polling thread, callbacks that set promises on the caller's stack.
TEST(CompatUserTest, TensorRtLlmSetsPromisesOnItsStack) {
  auto context = ucxx::createContext({{"RNDV_PIPELINE_ERROR_HANDLING", "y"}}, UCP_FEATURE_TAG);
  auto worker = context->createWorker();
  worker->setProgressThreadStartCallback([](void*) {}, nullptr);
  worker->startProgressThread(true);
  const std::string text = worker->getAddress()->getString();
  auto address = ucxx::createAddressFromString(text);
  auto endpoint = worker->createEndpointFromWorkerAddress(address, true);
  for (int i = 0; i < 1000; ++i) {
    std::uint64_t received = 0;
    const std::uint64_t sent = static_cast<std::uint64_t>(i) + 1;
    std::promise<void> received_all;
    auto future = received_all.get_future();
    auto receive = worker->tagRecv(
        &received, sizeof received, ucxx::Tag{1}, ucxx::TagMaskFull, false,
        [&received_all](ucs_status_t, std::shared_ptr<void>) { received_all.set_value(); });
    auto send = endpoint->tagSend(
        &sent, sizeof sent, ucxx::Tag{1}, false,
        [](ucs_status_t status, ucxx::RequestCallbackUserData data) {
          *std::static_pointer_cast<ucs_status_t>(data) = status;
        },
        std::make_shared<ucs_status_t>(UCS_INPROGRESS));
    const Deadline deadline;
    while (!(receive->isCompleted() && send->isCompleted()) && deadline) std::this_thread::yield();
    ASSERT_TRUE(receive->isCompleted());
    receive->checkError();
    ASSERT_EQ(future.wait_for(std::chrono::seconds(0)), std::future_status::ready);
    ASSERT_EQ(received, sent);
  }
  EXPECT_EQ(endpoint->getCancelingSize(), 0u);
  EXPECT_EQ(endpoint->getWorker(), worker);
  EXPECT_FALSE(worker->getInfo().empty());
  worker->stopProgressThread();
}

// Its older transport: who calls is asked of UCX, and the two sides exchange ids by streams.
struct Transceiver {
  std::shared_ptr<ucxx::Listener> listener;
  std::string client;
  std::promise<std::shared_ptr<ucxx::Endpoint>> endpoint;

  static void accept(ucp_conn_request_h request, void* argument) {
    auto* self = static_cast<Transceiver*>(argument);
    char ip[INET6_ADDRSTRLEN];
    char port[INET6_ADDRSTRLEN];
    ucp_conn_request_attr_t attributes{};
    attributes.field_mask = UCP_CONN_REQUEST_ATTR_FIELD_CLIENT_ADDR;
    ucxx::utils::ucsErrorThrow(ucp_conn_request_query(request, &attributes), "who calls");
    ucxx::utils::sockaddr_get_ip_port_str(&attributes.client_address, ip, port, INET6_ADDRSTRLEN);
    self->client = ip;
    self->endpoint.set_value(self->listener->createEndpointFromConnRequest(request, true));
  }
};

TEST(CompatUserTest, TensorRtLlmExchangesIdsByStreams) {
  auto context = ucxx::createContext({{"RNDV_PIPELINE_ERROR_HANDLING", "y"}},
                                     UCP_FEATURE_TAG | UCP_FEATURE_STREAM);
  auto server = context->createWorker();
  auto client = context->createWorker();
  server->startProgressThread(true);
  client->startProgressThread(true);
  Transceiver transceiver;
  transceiver.listener = server->createListener(0, &Transceiver::accept, &transceiver);
  auto to_server =
      client->createEndpointFromHostname("127.0.0.1", transceiver.listener->getPort(), true);
  auto accepted = transceiver.endpoint.get_future();
  ASSERT_EQ(accepted.wait_for(kDeadline), std::future_status::ready);
  auto to_client = accepted.get();
  EXPECT_EQ(transceiver.client, "127.0.0.1");

  const std::uint64_t sent = 7;
  std::uint64_t received = 0;
  auto receive = to_client->streamRecv(&received, sizeof received, false);
  auto send = to_server->streamSend(&sent, sizeof sent, false);
  const Deadline deadline;
  while (!(receive->isCompleted() && send->isCompleted()) && deadline) std::this_thread::yield();
  ASSERT_TRUE(receive->isCompleted() && send->isCompleted());
  receive->checkError();
  ucxx::utils::ucsErrorThrow(send->getStatus());
  EXPECT_EQ(received, sent);
}

TEST(CompatUserTest, TensorRtLlmCallsUcxBesideItsProgressThread) {
  auto worker = ucxx::createContext({}, UCP_FEATURE_TAG)->createWorker();
  worker->startProgressThread(true);
  Transceiver transceiver;
  transceiver.listener = worker->createListener(0, &Transceiver::accept, &transceiver);
  auto endpoint =
      worker->createEndpointFromHostname("127.0.0.1", transceiver.listener->getPort(), true);
  auto accepted = transceiver.endpoint.get_future();
  ASSERT_EQ(accepted.wait_for(kDeadline), std::future_status::ready);
  auto other = accepted.get();
  for (std::uint64_t sent = 1; sent <= 200; ++sent) {
    std::uint64_t received = 0;
    auto receive = other->tagRecv(&received, sizeof received, ucxx::Tag{sent}, ucxx::TagMaskFull);
    auto send = endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{sent});

    ucp_ep_attr_t attributes{};
    attributes.field_mask = UCP_EP_ATTR_FIELD_REMOTE_SOCKADDR;
    ASSERT_EQ(ucp_ep_query(other->getHandle(), &attributes), UCS_OK);
    ASSERT_EQ(attributes.remote_sockaddr.ss_family, AF_INET);
    ucp_worker_attr_t mode{};
    mode.field_mask = UCP_WORKER_ATTR_FIELD_THREAD_MODE;
    ASSERT_EQ(ucp_worker_query(worker->getHandle(), &mode), UCS_OK);
    ASSERT_EQ(mode.thread_mode, UCS_THREAD_MODE_MULTI);
    ucp_context_attr_t features{};
    features.field_mask = UCP_ATTR_FIELD_REQUEST_SIZE;
    ASSERT_EQ(
        ucp_context_query(
            std::dynamic_pointer_cast<ucxx::Context>(worker->getParent())->getHandle(), &features),
        UCS_OK);

    ASSERT_TRUE(compat::ended({worker}, {receive, send}));
    ASSERT_EQ(received, sent);
  }
}

TEST(CompatUserTest, TensorRtLlmProbesForRequestInfo) {
  auto worker = ucxx::createContext({}, UCP_FEATURE_TAG)->createWorker();
  worker->startProgressThread(true);
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress(), true);
  const auto sent = pattern(3000);
  constexpr ucxx::TagMask kMask{0xffffffff};
  auto send = endpoint->tagSend(sent.data(), sent.size(), ucxx::Tag{(std::uint64_t{7} << 32) | 5});
  std::shared_ptr<ucxx::TagProbeInfo> probe;
  ASSERT_TRUE(compat::until({worker}, [&] {
    probe = worker->tagProbe(ucxx::Tag{5}, kMask);
    return probe->isMatched();
  }));
  const ucxx::TagRecvInfo info = probe->getInfo();
  EXPECT_EQ(info.senderTag >> 32, 7u);
  std::vector<std::uint8_t> received(info.length);
  auto receive = worker->tagRecv(received.data(), received.size(), info.senderTag,
                                 ucxx::TagMask(0xFFFFFFFFFFFFFFFF));
  ASSERT_TRUE(compat::ended({worker}, {send, receive}));
  EXPECT_EQ(received, sent);
}

// holohub: addresses as strings, close callbacks that drop the endpoint.
TEST(CompatUserTest, HolohubReconnectsFromItsCloseCallback) {
  auto context = ucxx::createContext({}, ucxx::Context::defaultFeatureFlags);
  auto transmitter = context->createWorker();
  auto receiver = context->createWorker();
  transmitter->startProgressThread(false);
  receiver->startProgressThread(false);
  auto address = ucxx::createAddressFromString(receiver->getAddress()->getString());
  std::mutex mutex;
  auto endpoint = transmitter->createEndpointFromWorkerAddress(address, true);
  std::atomic<bool> closed{false};
  endpoint->setCloseCallback(
      [&](ucs_status_t, std::shared_ptr<void>) {
        const std::lock_guard<std::mutex> lock(mutex);
        endpoint = nullptr;
        closed = true;
      },
      nullptr);
  const auto sent = pattern(10000);
  std::vector<std::uint8_t> received(10000);
  auto peer = receiver->createEndpointFromWorkerAddress(transmitter->getAddress(), true);
  std::promise<ucs_status_t> done;
  auto receive =
      peer->tagRecv(received.data(), received.size(), ucxx::Tag{0}, ucxx::TagMaskFull, false,
                    [&](ucs_status_t status, std::shared_ptr<void>) { done.set_value(status); });
  auto send = endpoint->tagSend(sent.data(), sent.size(), ucxx::Tag{0});
  auto status = done.get_future();
  ASSERT_EQ(status.wait_for(kDeadline), std::future_status::ready);
  EXPECT_EQ(status.get(), UCS_OK);
  ASSERT_TRUE(compat::ended({transmitter, receiver}, {receive, send}));
  EXPECT_EQ(received, sent);

  auto pending = peer->tagRecv(received.data(), received.size(), ucxx::Tag{1});
  pending->cancel();
  ASSERT_TRUE(compat::ended({transmitter, receiver}, {pending}));
  EXPECT_EQ(pending->getStatus(), UCS_ERR_CANCELED);
  peer->closeBlocking();
  peer.reset();
  EXPECT_TRUE(compat::until({transmitter, receiver}, [&] { return closed.load(); }));
}

// Isaac Sim: a server and a client, each with its progress thread.
struct IsaacSim {
  std::shared_ptr<ucxx::Worker> server, client;
  std::unique_ptr<Acceptor> acceptor;
  std::shared_ptr<ucxx::Endpoint> to_server, to_client;  // to_client: null when nobody came
};

IsaacSim makeIsaacSim() {
  auto context = ucxx::createContext({{"TLS", "tcp,sm,self"}}, ucxx::Context::defaultFeatureFlags);
  IsaacSim sim;
  sim.server = context->createWorker();
  sim.client = context->createWorker();
  sim.server->startProgressThread();
  sim.client->startProgressThread();
  sim.acceptor = std::make_unique<Acceptor>();
  Acceptor& acceptor = *sim.acceptor;
  acceptor.listener = sim.server->createListener(0, &Acceptor::accept, &acceptor);
  sim.to_server =
      sim.client->createEndpointFromHostname("127.0.0.1", acceptor.listener->getPort(), true);
  auto accepted = acceptor.endpoint.get_future();
  if (accepted.wait_for(kDeadline) == std::future_status::ready) sim.to_client = accepted.get();
  return sim;
}

// Requests of a failed endpoint are cancelled through the worker.
TEST(CompatUserTest, IsaacSimCancelsThroughTheWorker) {
  IsaacSim sim = makeIsaacSim();
  ASSERT_NE(sim.to_client, nullptr);
  auto& [server, client, acceptor, to_server, to_client] = sim;
  std::atomic<bool> lost{false};
  to_client->setCloseCallback([&](ucs_status_t, std::shared_ptr<void>) { lost = true; }, nullptr);
  std::vector<std::uint8_t> buffer(100);
  auto receive = to_client->tagRecv(buffer.data(), buffer.size(), ucxx::Tag{1});
  to_server.reset();
  ASSERT_TRUE(compat::until({server, client}, [&] { return lost.load(); }));
  (void)server->cancelInflightRequests();
  ASSERT_TRUE(compat::ended({server, client}, {receive}));
  EXPECT_THROW(receive->checkError(), ucxx::Error);
  to_client->setCloseCallback(nullptr, nullptr);
}

TEST(CompatUserTest, IsaacSimSendsSeveralBuffersAtOnce) {
  IsaacSim sim = makeIsaacSim();
  ASSERT_NE(sim.to_client, nullptr);
  auto& [server, client, acceptor, to_server, to_client] = sim;

  std::vector<std::vector<std::uint8_t>> frames{pattern(10), pattern(100000), pattern(1)};
  std::vector<void*> buffers;
  std::vector<std::size_t> sizes;
  for (auto& frame : frames) {
    buffers.push_back(frame.data());
    sizes.push_back(frame.size());
  }
  const std::vector<int> is_cuda(frames.size(), 0);
  auto receive = to_client->tagMultiRecv(ucxx::Tag{7}, ucxx::TagMaskFull, false);
  auto send = to_server->tagMultiSend(buffers, sizes, is_cuda, ucxx::Tag{7}, false);
  ASSERT_TRUE(compat::ended({server, client}, {receive, send}));
  send->checkError();
  receive->checkError();
  std::vector<std::vector<std::uint8_t>> received;
  for (const auto& entry :
       std::dynamic_pointer_cast<ucxx::RequestTagMulti>(receive)->_bufferRequests) {
    if (entry->buffer == nullptr) continue;
    const auto* first = static_cast<const std::uint8_t*>(entry->buffer->data());
    received.emplace_back(first, first + entry->buffer->getSize());
  }
  EXPECT_EQ(received, frames);

  auto pending = to_client->tagMultiRecv(ucxx::Tag{8}, ucxx::TagMaskFull, false);
  pending->cancel();
  ASSERT_TRUE(compat::ended({server, client}, {pending}));
  EXPECT_EQ(pending->getStatus(), UCS_ERR_CANCELED);
}

}  // namespace
