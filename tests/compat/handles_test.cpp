// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// UCX's own functions, as programs call them on the handles that they get here.

#include <array>
#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "peers.h"

namespace {

std::string text(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> ip{}, port{};
  ucxx::utils::sockaddr_get_ip_port_str(&address, ip.data(), port.data(), ip.size());
  return std::string(ip.data()) + ':' + port.data();
}

ucs_status_t query(ucp_conn_request_h request, std::string& client) {
  ucp_conn_request_attr_t attributes{};
  attributes.field_mask = UCP_CONN_REQUEST_ATTR_FIELD_CLIENT_ADDR;
  const ucs_status_t status = ucp_conn_request_query(request, &attributes);
  if (status == UCS_OK) client = text(attributes.client_address);
  return status;
}

/// What `print` writes.
template <class Print>
std::string printed(Print print) {
  char* bytes = nullptr;
  std::size_t size = 0;
  FILE* stream = ::open_memstream(&bytes, &size);
  print(stream);
  std::fclose(stream);
  std::string result(bytes, size);
  std::free(bytes);
  return result;
}

/// A server as in the established examples: it looks who calls, then takes one and rejects others.
struct Server {
  std::shared_ptr<ucxx::Listener> listener;
  std::shared_ptr<ucxx::Endpoint> endpoint;
  std::vector<std::string> clients;
  ucs_status_t rejected = UCS_INPROGRESS;
  ucp_conn_request_h last = nullptr;

  explicit Server(ucxx::Worker& worker) : listener(worker.createListener(0, &Server::ask, this)) {}

  static void ask(ucp_conn_request_h request, void* argument) {
    auto& self = *static_cast<Server*>(argument);
    ucxx::utils::ucsErrorThrow(query(request, self.clients.emplace_back()));
    self.last = request;
    if (self.endpoint == nullptr)
      self.endpoint = self.listener->createEndpointFromConnRequest(request);
    else
      self.rejected = ucp_listener_reject(self.listener->getHandle(), request);
  }
};

TEST(CompatHandleTest, ListenerCallbackSeesTheClientAndRejects) {
  auto context = ucxx::createContext();
  const compat::Workers workers{context->createWorker(), context->createWorker()};
  Server server(*workers[0]);
  auto first = workers[1]->createEndpointFromHostname("127.0.0.1", server.listener->getPort());
  ASSERT_TRUE(compat::until(workers, [&] { return server.endpoint != nullptr; }));
  EXPECT_EQ(server.clients.front(), first->getLocalAddress());
  auto second = workers[1]->createEndpointFromHostname("127.0.0.1", server.listener->getPort());
  ASSERT_TRUE(compat::until(workers, [&] { return !second->isAlive(); }));
  EXPECT_EQ(server.rejected, UCS_OK);
  EXPECT_THROW(second->raiseOnError(), ucxx::RejectedError);
  EXPECT_TRUE(first->isAlive());
}

TEST(CompatHandleTest, ListenerCallbackSeesTheOwnWorker) {
  auto worker = ucxx::createContext()->createWorker();
  Server server(*worker);
  auto client = worker->createEndpointFromHostname("127.0.0.1", server.listener->getPort());
  ASSERT_TRUE(compat::until({worker}, [&] { return server.endpoint != nullptr; }));
  EXPECT_EQ(server.clients.front().substr(0, 10), "127.0.0.1:");
}

/// A server that keeps who calls by the address.
struct AddressBook {
  std::shared_ptr<ucxx::Listener> listener;
  std::map<std::string, std::shared_ptr<ucxx::Endpoint>> callers;

  static void accept(ucp_conn_request_h request, void* argument) {
    auto& self = *static_cast<AddressBook*>(argument);
    std::string client;
    ucxx::utils::ucsErrorThrow(query(request, client));
    EXPECT_EQ(std::to_string(self.listener->queryConnRequest(request).port),
              client.substr(client.rfind(':') + 1));
    self.callers[client] = self.listener->createEndpointFromConnRequest(request);
  }
};

TEST(CompatHandleTest, EachCallerHasAnAddressOfItsOwn) {
  auto context = ucxx::createContext();
  const compat::Workers workers{context->createWorker(), context->createWorker(),
                                context->createWorker()};
  AddressBook book;
  book.listener = workers[0]->createListener(0, &AddressBook::accept, &book);
  const std::string port = ":" + std::to_string(book.listener->getPort());
  std::vector<std::shared_ptr<ucxx::Endpoint>> clients;
  // Two of a worker, and one of the server's own.
  for (const std::size_t caller : {1, 2, 1, 0, 2}) {
    clients.push_back(
        workers[caller]->createEndpointFromHostname("127.0.0.1", book.listener->getPort()));
    ASSERT_TRUE(compat::until(workers, [&] { return book.callers.size() == clients.size(); }));
    ASSERT_TRUE(compat::until(workers, [&] { return clients.back()->hasConnected(); }));
    const std::string address = clients.back()->getLocalAddress();
    ASSERT_EQ(book.callers.count(address), 1u) << address;
    EXPECT_EQ(book.callers[address]->getPeerAddress(), address);
    EXPECT_EQ(book.callers[address]->getLocalAddress(), clients.back()->getPeerAddress());
    EXPECT_EQ(clients.back()->getPeerAddress(), "127.0.0.1" + port);
  }
}

TEST(CompatHandleTest, AnsweredRequestIsRefused) {
  auto worker = ucxx::createContext()->createWorker();
  Server server(*worker);
  auto client = worker->createEndpointFromHostname("127.0.0.1", server.listener->getPort());
  ASSERT_TRUE(compat::until({worker}, [&] { return server.endpoint != nullptr; }));
  std::string ignored;
  EXPECT_EQ(query(server.last, ignored), UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(ucp_listener_reject(server.listener->getHandle(), server.last), UCS_ERR_INVALID_PARAM);
}

TEST(CompatHandleTest, ListenerTellsItsAddress) {
  auto worker = ucxx::createContext()->createWorker();
  const std::shared_ptr<ucxx::Listener> listener =
      worker
          ->listenerBuilder(
              0, [](ucp_conn_request_h, void*) {}, nullptr)
          .host("127.0.0.1");
  ucp_listener_attr_t attributes{};
  attributes.field_mask = UCP_LISTENER_ATTR_FIELD_SOCKADDR;
  ASSERT_EQ(ucp_listener_query(listener->getHandle(), &attributes), UCS_OK);
  EXPECT_EQ(text(attributes.sockaddr), "127.0.0.1:" + std::to_string(listener->getPort()));
}

TEST(CompatHandleTest, EndpointTellsAddressesNameAndTransports) {
  const compat::Pair pair;
  ucp_ep_attr_t attributes{};
  attributes.field_mask =
      UCP_EP_ATTR_FIELD_LOCAL_SOCKADDR | UCP_EP_ATTR_FIELD_REMOTE_SOCKADDR | UCP_EP_ATTR_FIELD_NAME;
  ASSERT_EQ(ucp_ep_query(pair.client->getHandle(), &attributes), UCS_OK);
  EXPECT_EQ(text(attributes.local_sockaddr), pair.client->getLocalAddress());
  EXPECT_EQ(text(attributes.remote_sockaddr), pair.client->getPeerAddress());
  EXPECT_EQ(attributes.name[sizeof attributes.name - 1], '\0');
  EXPECT_NE(printed([&](FILE* stream) { ucp_ep_print_info(pair.client->getHandle(), stream); }),
            "");
}

TEST(CompatHandleTest, EndpointToTheOwnWorkerTellsWhatItHas) {
  const compat::Self self;
  ucp_ep_attr_t attributes{};
  attributes.field_mask = UCP_EP_ATTR_FIELD_REMOTE_SOCKADDR;
  EXPECT_EQ(ucp_ep_query(self.endpoint->getHandle(), &attributes), UCS_OK);
  EXPECT_EQ(text(attributes.remote_sockaddr), "127.0.0.1:0");
  attributes.field_mask = UCP_EP_ATTR_FIELD_NAME;
  EXPECT_EQ(ucp_ep_query(self.endpoint->getHandle(), &attributes), UCS_ERR_NOT_CONNECTED);
  EXPECT_NE(printed([&](FILE* stream) { ucp_ep_print_info(self.endpoint->getHandle(), stream); }),
            "");
}

TEST(CompatHandleTest, HandleOfWhatIsGoneIsRefused) {
  compat::Pair pair;
  const ucp_ep_h handle = pair.client->getHandle();
  pair.client.reset();
  pair.client_worker.reset();
  ucp_ep_attr_t attributes{};
  attributes.field_mask = UCP_EP_ATTR_FIELD_NAME;
  EXPECT_EQ(ucp_ep_query(handle, &attributes), UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(printed([&](FILE* stream) { ucp_ep_print_info(handle, stream); }), "");
}

/// A probe that has taken a message of `size` bytes out; its send may still be under way.
struct Probed {
  explicit Probed(compat::Pair& pair, std::size_t size) : bytes(compat::pattern(size)) {
    send = pair.client->tagSend(bytes.data(), bytes.size(), ucxx::Tag{7});
    EXPECT_TRUE(pair.until([&] {
      probe = pair.server_worker->tagProbe(ucxx::Tag{7}, ucxx::TagMaskFull, true);
      return probe->isMatched();
    }));
  }
  std::vector<std::uint8_t> bytes;
  std::shared_ptr<ucxx::Request> send;
  std::shared_ptr<ucxx::TagProbeInfo> probe;
};

/// UCX's call, as programs make it.
ucs_status_ptr_t receive(const compat::Pair& pair, std::vector<std::uint8_t>& room,
                         ucp_tag_message_h message, ucp_tag_recv_info_t* info = nullptr) {
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE;
  param.datatype = ucp_dt_make_contig(1);
  if (info != nullptr) param.op_attr_mask |= UCP_OP_ATTR_FIELD_RECV_INFO;
  param.recv_info.tag_info = info;
  return ucp_tag_msg_recv_nbx(pair.server_worker->getHandle(), room.data(), room.size(), message,
                              &param);
}

TEST(CompatProbeHandleTest, UcxReceivesAProbedMessage) {
  compat::Pair pair;
  Probed probed(pair, 100);
  std::vector<std::uint8_t> room(200);
  ucp_tag_recv_info_t info{};
  EXPECT_EQ(receive(pair, room, probed.probe->getHandle(), &info), nullptr);
  EXPECT_EQ(info.length, 100u);
  EXPECT_EQ(info.sender_tag, 7u);
  room.resize(100);
  EXPECT_EQ(room, probed.bytes);
  // The message is not there any more, for nobody.
  EXPECT_EQ(UCS_PTR_STATUS(receive(pair, room, probed.probe->getHandle())), UCS_ERR_INVALID_PARAM);
  EXPECT_THROW(pair.server_worker->tagRecvWithHandle(room.data(), probed.probe), std::logic_error);
}

TEST(CompatProbeHandleTest, ReleasedHandleOutlivesItsProbe) {
  compat::Pair pair;
  Probed probed(pair, 100);
  const ucp_tag_message_h handle = probed.probe->releaseHandle();
  probed.probe.reset();
  std::vector<std::uint8_t> room(100);
  EXPECT_EQ(receive(pair, room, handle), nullptr);
  EXPECT_EQ(room, probed.bytes);
}

TEST(CompatProbeHandleTest, HandleEndsWithItsProbeAndWithItsWorker) {
  compat::Pair pair;
  std::vector<std::uint8_t> room(100);
  {
    Probed probed(pair, 100);
    const ucp_tag_message_h handle = probed.probe->getHandle();
    probed.probe.reset();
    EXPECT_EQ(UCS_PTR_STATUS(receive(pair, room, handle)), UCS_ERR_INVALID_PARAM);
  }
  Probed kept(pair, 100), released(pair, 100);
  const ucp_tag_message_h handle = released.probe->releaseHandle();
  pair.server.reset();
  pair.listener.reset();
  const std::weak_ptr<ucxx::Worker> worker = pair.server_worker;
  std::swap(pair.server_worker, pair.client_worker);  // for its UCX handle
  pair.client_worker.reset();
  EXPECT_FALSE(worker.expired());  // the probe keeps it
  EXPECT_EQ(receive(pair, room, kept.probe->getHandle()), nullptr);
  EXPECT_EQ(room, kept.bytes);
  kept.probe.reset();
  EXPECT_TRUE(worker.expired());
  EXPECT_EQ(UCS_PTR_STATUS(receive(pair, room, handle)), UCS_ERR_INVALID_PARAM);
}

TEST(CompatProbeHandleTest, WhatCannotBeReceivedAtOnceIsRefusedAndStays) {
  compat::Pair pair;
  Probed probed(pair, compat::kLarge);
  std::vector<std::uint8_t> room(probed.bytes.size()), small(10);
  const ucp_tag_message_h handle = probed.probe->releaseHandle();
  EXPECT_EQ(UCS_PTR_STATUS(receive(pair, small, handle)), UCS_ERR_MESSAGE_TRUNCATED);
  EXPECT_EQ(UCS_PTR_STATUS(receive(pair, room, nullptr)), UCS_ERR_INVALID_PARAM);
  const ucs_status_ptr_t answer = receive(pair, room, handle);
  if (answer != nullptr) {
    ASSERT_EQ(UCS_PTR_STATUS(answer), UCS_ERR_UNSUPPORTED);
    const auto probe = ucxx::TagProbeInfoBuilder(probed.probe->getInfo(), handle).build();
    const auto request = pair.server_worker->tagRecvWithHandle(room.data(), probe);
    ASSERT_TRUE(pair.wait({request}));
    request->checkError();
  }
  ASSERT_TRUE(pair.wait({probed.send}));
  EXPECT_EQ(room, probed.bytes);
}

TEST(CompatHandleTest, UcxsOwnHandlesGoToUcx) {
  const compat::Pair pair;
  ucp_ep_attr_t attributes{};
  attributes.field_mask = UCP_EP_ATTR_FIELD_NAME;
  EXPECT_EQ(ucp_ep_query(pair.client->nativeHandle(), &attributes), UCS_OK);
  EXPECT_NE(
      printed([&](FILE* out) { ucp_worker_print_info(pair.client_worker->getHandle(), out); }), "");
  EXPECT_NE(printed([&](FILE* out) { ucp_context_print_info(pair.context->getHandle(), out); }),
            "");
  ucp_worker_attr_t worker{};
  worker.field_mask = UCP_WORKER_ATTR_FIELD_THREAD_MODE;
  EXPECT_EQ(ucp_worker_query(pair.client_worker->getHandle(), &worker), UCS_OK);
  EXPECT_EQ(worker.thread_mode, UCS_THREAD_MODE_MULTI);
}

}  // namespace
