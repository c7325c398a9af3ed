// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// How long a connect may take is each endpoint's own; nobody there is said with its address.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/fixtures.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

/// Takes connections, as the kernel does, and never says a word.
class SilentPort {
 public:
  SilentPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_, 16), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length), 0);
    port = ntohs(address.sin_port);
  }
  ~SilentPort() {
    if (caller_ >= 0) ::close(caller_);
    ::close(socket_);
  }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;

  bool hasCaller() {
    if (caller_ < 0) caller_ = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return caller_ >= 0;
  }
  bool hasCallerHungUp() {
    std::byte bytes[4096];
    ssize_t count = 1;
    while (count > 0) count = ::recv(caller_, bytes, sizeof bytes, 0);
    return count == 0 || errno == ECONNRESET;
  }
  std::uint16_t port = 0;

 private:
  int socket_;
  int caller_ = -1;
};

class ConnectLimitTest : public testing::Test {
 protected:
  static constexpr const char* kHost = "127.0.0.1";
  std::shared_ptr<Worker> workerWithin(std::chrono::milliseconds timeout) {
    WorkerOptions options;
    options.connect_timeout = timeout;
    return makeWorker(options);
  }
  void progressFor(const std::shared_ptr<Worker>& worker, Clock::duration time) {
    const auto end = Clock::now() + time;
    ASSERT_TRUE(compat::until({worker}, [&] { return Clock::now() > end; }));
  }
  /// When it has failed; false: not in time.
  bool hasFailed(const std::shared_ptr<Worker>& worker, const std::shared_ptr<Endpoint>& endpoint) {
    return compat::until({worker}, [&] { return !endpoint->isAlive(); });
  }
  SilentPort silent_;
};

TEST_F(ConnectLimitTest, AShorterOneThanTheWorkers) {
  const auto worker = workerWithin(60s);
  const auto begin = Clock::now();
  const auto endpoint = worker->createEndpointFromHostname(kHost, silent_.port, true, 100ms);
  ASSERT_TRUE(hasFailed(worker, endpoint));
  EXPECT_GE(Clock::now() - begin, 100ms);
  EXPECT_LT(Clock::now() - begin, 10s);
  const std::string error = messageOf([&] { endpoint->raiseOnError(); });
  EXPECT_THROW(endpoint->raiseOnError(), TimedOutError);
  EXPECT_EQ(error.rfind("connect: ", 0), 0u) << error;
  EXPECT_NE(error.find("127.0.0.1:" + std::to_string(silent_.port)), std::string::npos) << error;
}

TEST_F(ConnectLimitTest, ALongerOneThanTheWorkers) {
  const auto worker = workerWithin(50ms);
  const auto endpoint = worker->createEndpointFromHostname(kHost, silent_.port, true, 60s);
  progressFor(worker, 200ms);
  EXPECT_TRUE(endpoint->isAlive());
}

TEST_F(ConnectLimitTest, ARetryHasItsOwnTime) {
  const auto worker = workerWithin(150ms);
  const auto first = worker->createEndpointFromHostname(kHost, silent_.port);
  progressFor(worker, 50ms);
  const auto second = worker->createEndpointFromHostname(kHost, silent_.port, true, 60s);
  ASSERT_TRUE(hasFailed(worker, first));
  progressFor(worker, 200ms);
  EXPECT_TRUE(second->isAlive());
}

TEST_F(ConnectLimitTest, WhoJoinsALongCallKeepsTheShorterOne) {
  const auto worker = workerWithin(60s);
  const auto first = worker->createEndpointFromHostname(kHost, silent_.port);
  const auto second = EndpointBuilder(worker, kHost, silent_.port).connectTimeout(100ms).build();
  ASSERT_TRUE(hasFailed(worker, second));
  EXPECT_TRUE(first->isAlive());
}

TEST_F(ConnectLimitTest, ACallThatNobodyWantsAnyMoreEnds) {
  const auto worker = workerWithin(60s);
  auto first = worker->createEndpointFromHostname(kHost, silent_.port);
  auto second = worker->createEndpointFromHostname(kHost, silent_.port);
  ASSERT_TRUE(compat::until({worker}, [&] { return silent_.hasCaller(); }));
  first = nullptr;
  progressFor(worker, 20ms);
  EXPECT_FALSE(silent_.hasCallerHungUp());
  second = nullptr;
  ASSERT_TRUE(compat::until({worker}, [&] { return silent_.hasCallerHungUp(); }));
}

TEST_F(ConnectLimitTest, NobodyThereIsSaidWithTheAddress) {
  std::uint16_t port = 0;
  {
    const SilentPort closed;
    port = closed.port;
  }
  const auto worker = workerWithin(60s);
  const auto endpoint = worker->createEndpointFromHostname(kHost, port);
  const auto flush = endpoint->flush();
  ASSERT_TRUE(compat::ended({worker}, {flush}));
  EXPECT_THROW(flush->checkError(), UnreachableError);
  for (const std::string& error :
       {messageOf([&] { flush->checkError(); }), messageOf([&] { endpoint->raiseOnError(); })}) {
    EXPECT_EQ(error.rfind("connect: ", 0), 0u) << error;
    EXPECT_NE(error.find("127.0.0.1:" + std::to_string(port)), std::string::npos) << error;
    EXPECT_NE(error.find("nobody listens there"), std::string::npos) << error;
  }
}

TEST_F(ConnectLimitTest, ANegativeOneIsRefused) {
  const auto worker = makeWorker();
  EXPECT_THROW(worker->createEndpointFromHostname(kHost, silent_.port, true, -1ms),
               InvalidParamError);
  EXPECT_THROW(worker->createEndpointFromWorkerAddress(makeWorker()->getAddress(), true, -1ms),
               InvalidParamError);
}

/// A worker that nobody moves, known by its address.
TEST_F(ConnectLimitTest, OfAWorkersAddress) {
  const auto worker = workerWithin(60s), stopped = makeWorker();
  const auto endpoint = worker->createEndpointFromWorkerAddress(stopped->getAddress(), true, 100ms);
  ASSERT_TRUE(hasFailed(worker, endpoint));
  EXPECT_THROW(endpoint->raiseOnError(), TimedOutError);
}

}  // namespace
}  // namespace ucxx::core::test
