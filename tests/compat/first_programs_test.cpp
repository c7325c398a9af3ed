// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The first programs of people who come from the established API, from UCX or from sockets: the
// umbrella alone, in both forms, with what they write into the slots.

#include <array>
#include <future>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ucxx/api.h>

#include "peers.h"

namespace own {

int waits = 0;

/// As the programs of the established API have them, with the arguments of ours.
void waitRequests(std::shared_ptr<ucxx::Worker> worker,  // NOLINT(performance-unnecessary-*)
                  const std::vector<std::shared_ptr<ucxx::Request>>& requests) {
  ++waits;
  for (const auto& request : requests) {
    while (!request->isCompleted()) worker->progress();
    request->checkError();
  }
}

void waitSingleRequest(const std::shared_ptr<ucxx::Worker>& worker,
                       const std::shared_ptr<ucxx::Request>& request) {
  waitRequests(worker, {request});
}

void sendBySelf(const std::shared_ptr<ucxx::Worker>& worker,
                const std::shared_ptr<ucxx::Endpoint>& endpoint) {
  int sent = 3, received = 0;
  std::vector<std::shared_ptr<ucxx::Request>> requests{
      endpoint->tagSend(&sent, sizeof sent, 1), endpoint->tagRecv(&received, sizeof received, 1)};
  waitRequests(worker, requests);
  waitSingleRequest(worker, requests.front());
  EXPECT_EQ(received, 3);
}

}  // namespace own

namespace {

using compat::Pair;
using compat::Self;

struct Accepting {
  std::shared_ptr<ucxx::Listener> listener;
  std::shared_ptr<ucxx::Endpoint> endpoint;
  std::atomic<bool> accepted{false};

  static void accept(ucp_conn_request_h request, void* argument) {
    auto& self = *static_cast<Accepting*>(argument);
    self.endpoint = self.listener->createEndpointFromConnRequest(request);
    self.accepted = true;
  }
};

// The program that people know, as it stands.
TEST(CompatFirstProgramTest, ThreadListenerTagsAndStreams) {
  auto context = ucxx::createContext();
  auto worker = context->createWorker();
  worker->startProgressThread();
  Accepting accepting;
  auto listener = accepting.listener = worker->createListener(0, Accepting::accept, &accepting);
  auto ep = worker->createEndpointFromHostname("127.0.0.1", listener->getPort());
  auto ep1 = worker->createEndpointFromWorkerAddress(worker->getAddress());
  ASSERT_TRUE(compat::until({worker}, [&] { return accepting.accepted.load(); }));
  auto ep2 = accepting.endpoint;
  std::vector<int> send{1, 2, 3}, recv(3);
  std::vector<std::shared_ptr<ucxx::Request>> requests{
      ep1->tagSend(send.data(), send.size() * sizeof(int), 0),
      ep2->tagRecv(recv.data(), recv.size() * sizeof(int), 0)};
  ucxx::waitRequests(worker, requests);
  EXPECT_EQ(recv, send);
  std::array<char, 4> streamed{};
  ucxx::waitRequests(worker, {ep->streamSend("abc", 4), ep2->streamRecv(streamed.data(), 4)});
  EXPECT_STREQ(streamed.data(), "abc");
  waitRequests(worker, requests);  // found by its arguments
  waitSingleRequest(worker, requests[0]);
}

TEST(CompatFirstProgramTest, OwnFunctionsOfThoseNamesArePreferred) {
  Self self;
  own::sendBySelf(self.worker, self.endpoint);
  EXPECT_EQ(own::waits, 2);
}

enum { kPing = 7 };
enum Kind : unsigned { kData = 9 };

TEST(CompatFirstProgramTest, TagsAndMasksAreNumbersAsInUcx) {
  Self self;
  auto& worker = self.worker;
  auto& endpoint = self.endpoint;
  const ucp_tag_t tag = 0x100, mask = ~ucp_tag_t{0};
  const int sent = 5;
  std::array<int, 5> received{};
  std::size_t calls = 0;
  const auto into = [&](std::size_t i) { return &received.at(i); };
  const auto count = [&](ucs_status_t, std::shared_ptr<void>) { ++calls; };
  compat::Requests requests{
      worker->tagRecv(into(0), sizeof(int), tag, mask),
      endpoint->tagSend(&sent, sizeof(int), tag, false, count, nullptr),
      endpoint->tagRecv(into(1), sizeof(int), kPing, ucxx::TagMaskFull, false, count),
      endpoint->tagSend(&sent, sizeof(int), kPing, ucxx::TagMaskFull, nullptr, 0),
      endpoint->tagSend(&sent, sizeof(int), kData, 0),
      endpoint->tagRecv(into(2), sizeof(int), ucxx::Tag{0}, 0),
      endpoint->tagSendBuilder(&sent, sizeof(int), kPing).build(),
      worker->tagRecvBuilder(into(3), sizeof(int), kPing, mask).build(),
      endpoint->tagMultiSend({&sent}, {sizeof(int)}, {0}, 3),
      endpoint->tagMultiRecv(3, mask),
      endpoint->tagSend(&sent, sizeof(int), 12)};
  auto probe = worker->tagProbe(12, mask, true);
  ASSERT_TRUE(probe->isMatched());
  EXPECT_FALSE(worker->tagProbe(0, 0)->isMatched());
  requests.push_back(worker->tagRecvWithHandle(into(4), probe));
  ASSERT_TRUE(self.wait(requests));
  EXPECT_EQ(received, (std::array<int, 5>{5, 5, 5, 5, 5}));
  EXPECT_EQ(calls, 2u);
}

TEST(CompatFirstProgramTest, BuildersAloneWithoutAThread) {
  const std::shared_ptr<ucxx::Context> context =
      ucxx::contextBuilder(ucxx::Context::defaultFeatureFlags);
  const std::shared_ptr<ucxx::Worker> worker = context->workerBuilder();
  Accepting accepting;
  accepting.listener = worker->listenerBuilder(0, Accepting::accept, &accepting).host("127.0.0.1");
  auto endpoint =
      worker->endpointBuilder(accepting.listener->getIp(), accepting.listener->getPort()).build();
  ASSERT_TRUE(compat::until({worker}, [&] { return accepting.accepted.load(); }));
  const std::string sent(1 << 17, 'x');
  std::string received(sent.size(), ' ');
  auto status = std::make_shared<ucs_status_t>(UCS_INPROGRESS);
  ucxx::waitRequests(
      worker, {accepting.endpoint->tagRecvBuilder(received.data(), received.size(), ucxx::Tag{1})
                   .callbackFunction([](ucs_status_t ended, std::shared_ptr<void> data) {
                     *std::static_pointer_cast<ucs_status_t>(data) = ended;
                   })
                   .callbackData(status)
                   .build(),
               endpoint->tagSendBuilder(sent.data(), sent.size(), ucxx::Tag{1}).build()});
  EXPECT_EQ(received, sent);
  EXPECT_EQ(*status, UCS_OK);
  auto memory = context->memoryHandleBuilder(4096).build();
  auto key = endpoint->remoteKeyBuilder(memory->remoteKeyBuilder().build()->serialize()).build();
  ucxx::waitSingleRequest(
      worker, endpoint->memPutBuilder(sent.data(), 10, key).remoteAddressOffset(8).build());
  ucxx::waitSingleRequest(worker, worker->flushBuilder().build());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(memory->getBaseAddress()) + 8, 10),
            std::string(10, 'x'));
  const std::shared_ptr<ucxx::Request> closed = endpoint->closeBuilder();
  ucxx::waitRequests(worker, {closed, endpoint->closeBuilder().build()});  // null the second time
}

TEST(CompatFirstProgramTest, ServerSendsActiveMessagesInTheListenersCallback) {
  struct Server {
    std::shared_ptr<ucxx::Listener> listener;
    std::map<ucp_ep_h, std::shared_ptr<ucxx::Endpoint>> endpoints;
    std::vector<std::shared_ptr<ucxx::Request>> sends;
  } server;
  auto context = ucxx::createContext({}, UCP_FEATURE_AM | UCP_FEATURE_WAKEUP);
  const auto server_worker = context->createWorker(), client_worker = context->createWorker();
  server_worker->registerAmReceiverCallback(
      {"app", 1}, [&](std::shared_ptr<ucxx::Request> request, ucp_ep_h endpoint) {
        request->checkError();
        auto buffer = request->getRecvBuffer();
        server.sends.push_back(server.endpoints.at(endpoint)->amSend(
            buffer->data(), buffer->getSize(), UCS_MEMORY_TYPE_HOST,
            ucxx::AmReceiverCallbackInfo("app", 2), false,
            [buffer](ucs_status_t, std::shared_ptr<void>) {}));
      });
  std::string header, answer;
  client_worker->registerAmReceiverCallback(
      {"app", 3},
      [&](std::shared_ptr<ucxx::Request> request, ucp_ep_h) { header = request->getRecvHeader(); });
  client_worker->registerAmReceiverCallback(
      {"app", 2}, [&](std::shared_ptr<ucxx::Request> request, ucp_ep_h) {
        const auto buffer = request->getRecvBuffer();
        answer.assign(static_cast<const char*>(buffer->data()), buffer->getSize());
      });
  server.listener = server_worker->createListener(
      0,
      [](ucp_conn_request_h request, void* argument) {
        auto& self = *static_cast<Server*>(argument);
        auto endpoint = self.listener->createEndpointFromConnRequest(request, true);
        self.endpoints[endpoint->getHandle()] = endpoint;
        ucxx::AmSendParams params;
        params.receiverCallbackInfo = ucxx::AmReceiverCallbackInfo("app", 3);
        params.setUserHeader("hello");
        self.sends.push_back(endpoint->amSend(nullptr, 0, params));
      },
      &server);
  auto endpoint =
      client_worker->createEndpointFromHostname("localhost", server.listener->getPort(), true);
  const std::string question(100'000, 'q');
  auto send = endpoint->amSend(question.data(), question.size(), UCS_MEMORY_TYPE_HOST,
                               ucxx::AmReceiverCallbackInfo("app", 1));
  ASSERT_TRUE(compat::until({server_worker, client_worker},
                            [&] { return !answer.empty() && send->isCompleted(); }));
  EXPECT_EQ(header, "hello");
  EXPECT_EQ(answer, question);
  for (const auto& worker : {server_worker, client_worker}) worker->cancelInflightRequests();
  server.endpoints.clear();
}

TEST(CompatFirstProgramTest, CloseCallbackDropsTheLastReference) {
  struct Server {
    Accepting accepting;
    std::promise<ucs_status_t> closed;
  } server;
  auto context = ucxx::createContext();
  const auto server_worker = context->createWorker(), client_worker = context->createWorker();
  for (const auto& worker : {server_worker, client_worker}) worker->startProgressThread(false);
  server.accepting.listener = server_worker->createListener(
      0,
      [](ucp_conn_request_h request, void* argument) {
        auto& self = *static_cast<Server*>(argument);
        Accepting::accept(request, &self.accepting);
        self.accepting.endpoint->setCloseCallback(
            [&self](ucs_status_t status, std::shared_ptr<void>) {
              self.accepting.endpoint.reset();
              self.closed.set_value(status);
            },
            nullptr);
      },
      &server);
  auto endpoint = client_worker->createEndpointFromHostname(
      "127.0.0.1", server.accepting.listener->getPort(), true);
  ASSERT_TRUE(compat::until({server_worker}, [&] { return server.accepting.accepted.load(); }));
  char byte = 0;
  auto receive = endpoint->tagRecv(&byte, 1, 5);
  ucxx::waitRequests(client_worker, {endpoint->close()});
  auto closed = server.closed.get_future();
  ASSERT_EQ(closed.wait_for(compat::kDeadline), std::future_status::ready);
  EXPECT_NE(closed.get(), UCS_INPROGRESS);
  EXPECT_THROW(ucxx::waitSingleRequest(client_worker, receive), ucxx::CanceledError);
  EXPECT_EQ(endpoint->close(), nullptr);
  EXPECT_THROW(endpoint->tagSend(&byte, 1, 0), ucxx::Error);
  endpoint->setCloseCallback(nullptr, nullptr);
}

/// A TCP socket of the loopback that is no worker's.
struct Socket {
  explicit Socket(bool listens) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(fd, generic, size), 0);
    EXPECT_EQ(::getsockname(fd, generic, &size), 0);
    if (listens && ::listen(fd, 8) != 0) ADD_FAILURE() << "cannot listen";
    port = ntohs(address.sin_port);
  }
  ~Socket() { ::close(fd); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  std::uint16_t port = 0;
};

/// What the failure of a call to `port` says; `serve` runs meanwhile.
template <class Serve>
std::string failureAt(std::uint16_t port, Serve serve) {
  ucxx::WorkerOptions options;
  options.connect_timeout = std::chrono::milliseconds(200);
  const auto worker = compat::makeWorker(options);
  const auto endpoint = worker->createEndpointFromHostname("127.0.0.1", port);
  char byte = 0;
  const auto send = endpoint->tagSend(&byte, 1, 0);
  EXPECT_TRUE(compat::until({worker}, [&] {
    serve();
    return send->isCompleted();
  }));
  try {
    send->checkError();
  } catch (const ucxx::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CompatFirstProgramTest, FailedCallSaysWhereAndWhy) {
  const Socket closed(false), silent(true), web(true);
  const auto says = [](const std::string& text, std::uint16_t port, const char* why) {
    return text.find("127.0.0.1:" + std::to_string(port) + ": " + why) != std::string::npos;
  };
  std::string text = failureAt(closed.port, [] {});
  EXPECT_TRUE(says(text, closed.port, "nobody listens there")) << text;
  text = failureAt(silent.port, [] {});
  EXPECT_TRUE(says(text, silent.port, "no answer")) << text;
  text = failureAt(web.port, [&] {
    const int caller = ::accept(web.fd, nullptr, nullptr);
    if (caller < 0) return;
    EXPECT_EQ(::send(caller, "HTTP/1.1 400 Bad\r\n", 18, MSG_NOSIGNAL), 18);
    ::close(caller);
  });
  EXPECT_TRUE(says(text, web.port, "no worker of this library answers there")) << text;
}

// What is null is named in an exception.
TEST(CompatFirstProgramTest, NullIsRefused) {
  const std::shared_ptr<ucxx::Worker> worker;
  const std::shared_ptr<ucxx::Listener> listener;
  using ucxx::data::EndpointClose;
  EXPECT_THROW(ucxx::workerBuilder(nullptr).build(), std::invalid_argument);
  EXPECT_THROW(ucxx::endpointBuilder(worker, "127.0.0.1", 1).build(), std::invalid_argument);
  EXPECT_THROW(ucxx::endpointBuilder(listener, nullptr).build(), std::invalid_argument);
  EXPECT_THROW(ucxx::endpointBuilder(worker, std::shared_ptr<ucxx::Address>()).build(),
               std::invalid_argument);
  EXPECT_THROW(ucxx::ListenerBuilder(worker, 0, nullptr, nullptr).build(), std::invalid_argument);
  EXPECT_THROW(ucxx::AddressBuilder(worker).build(), std::invalid_argument);
  EXPECT_THROW(ucxx::waitRequests(nullptr, {nullptr}), std::invalid_argument);
  Self self;
  EXPECT_THROW(self.worker->createListener(0, nullptr, nullptr), std::invalid_argument);
  EXPECT_THROW(self.worker->createEndpointFromWorkerAddress(nullptr), std::invalid_argument);
  EXPECT_THROW(self.worker->createEndpointFromHostname("127.0.0.1", 0), ucxx::Error);
  EXPECT_THROW(self.worker->registerGenericPre(nullptr), std::invalid_argument);
}

}  // namespace
