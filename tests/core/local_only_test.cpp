// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// UCXX_LOCAL=only: no TCP, no UCX, and clear words where that leaves no way.

#include <string>

#include "core/met.h"
#include "core/tcp_sockets.h"

namespace ucxx::core::test {
namespace {

#define UCXX_EXPECT_HAS(text, word) \
  EXPECT_NE(std::string(text).find(word), std::string::npos) << (text)

class LocalOnlyTest : public testing::TestWithParam<bool> {};

TEST_P(LocalOnlyTest, OpensNoTcpSocket) {
  Met met("only", "only", GetParam());
  ASSERT_TRUE(met.talks());
  EXPECT_TRUE(met.isLocal());
  EXPECT_EQ(tcpSockets().listening, 0u);
  EXPECT_EQ(tcpSockets().others, 0u);
  for (const auto& worker : {met.left, met.right}) EXPECT_TRUE(says(worker, "UCX not started"));
}

INSTANTIATE_TEST_SUITE_P(By, LocalOnlyTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Name" : "Address"; });

void ignore(ucp_conn_request_h, void*) {}

TEST(LocalOnlyTest, MeetsOtherModesByAddress) {
  for (const auto& [left, right] : {std::pair{"only", "auto"}, {"auto", "only"}}) {
    Met met(left, right, false);
    ASSERT_TRUE(met.talks());
    EXPECT_TRUE(met.isLocal());
  }
}

TEST(LocalOnlyTest, PeerThatIsOffFindsNoWay) {
  auto only = workerWith("only");
  auto off = workerWith("off");
  auto endpoint = off->createEndpointFromWorkerAddress(only->getAddress());
  ASSERT_TRUE(compat::until({only, off}, [&] { return !endpoint->isAlive(); }));
  const std::string failure = messageOf([&] { endpoint->raiseOnError(); });
  UCXX_EXPECT_HAS(failure, "UCXX_LOCAL=only");
}

TEST(LocalOnlyTest, WorkerThatIsOffIsNamed) {
  auto only = workerWith("only");
  const auto address = workerWith("off")->getAddress();
  const std::string failure =
      messageOf([&] { (void)only->createEndpointFromWorkerAddress(address); });
  UCXX_EXPECT_HAS(failure, "UCXX_LOCAL=only");
  UCXX_EXPECT_HAS(failure, "has no local channel");
}

TEST(LocalOnlyTest, RemoteHostIsNamed) {
  auto only = workerWith("only");
  const char* const remote = "192.0.2.1";
  EXPECT_THROW((void)only->createEndpointFromHostname(remote, 1), UnreachableError);
  const std::string failure = messageOf([&] { (void)only->createEndpointFromHostname(remote, 1); });
  UCXX_EXPECT_HAS(failure, remote);
  UCXX_EXPECT_HAS(failure, "UCXX_LOCAL=only");
  EXPECT_THROW((void)only->createListener(0, ignore, nullptr, remote), InvalidAddrError);
}

TEST(LocalOnlyTest, PortWithoutListenerIsNamed) {
  auto only = workerWith("only");
  auto stopped = only->createListener(0, ignore, nullptr);
  const std::uint16_t port = stopped->getPort();
  stopped = nullptr;
  auto endpoint = only->createEndpointFromHostname("127.0.0.1", port);
  ASSERT_TRUE(compat::until({only}, [&] { return !endpoint->isAlive(); }));
  const std::string failure = messageOf([&] { endpoint->raiseOnError(); });
  UCXX_EXPECT_HAS(failure, "127.0.0.1:" + std::to_string(port));
  UCXX_EXPECT_HAS(failure, "UCXX_LOCAL=only");
}

TEST(LocalOnlyTest, ListenerOfAnotherModeIsNotFound) {
  auto only = workerWith("only");
  auto other = workerWith("auto");
  auto listener = other->createListener(0, ignore, nullptr);
  auto endpoint = only->createEndpointFromHostname("127.0.0.1", listener->getPort());
  EXPECT_TRUE(compat::until({only, other}, [&] { return !endpoint->isAlive(); }));
}

TEST(LocalOnlyTest, PortIsTakenUntilItsListenerStops) {
  auto only = workerWith("only");
  auto first = only->createListener(0, ignore, nullptr);
  auto second = only->createListener(0, ignore, nullptr, "127.0.0.1");
  EXPECT_NE(first->getPort(), 0);
  EXPECT_NE(first->getPort(), second->getPort());
  EXPECT_EQ(second->getIp(), "127.0.0.1");
  const std::uint16_t port = first->getPort();
  EXPECT_THROW((void)only->createListener(port, ignore, nullptr), BusyError);
  UCXX_EXPECT_HAS(messageOf([&] { (void)only->createListener(port, ignore, nullptr); }),
                  std::to_string(port));
  first = nullptr;
  EXPECT_EQ(only->createListener(port, ignore, nullptr)->getPort(), port);
}

/// Without a driver of CUDA all memory is the host's. With one: DeviceWithoutUcxTest.
TEST(LocalOnlyTest, TakesWhatIsSaidToBeADevices) {
  WorkerOptions options;
  options.cuda_buffer_type = BufferType::Host;
  const auto worker = [&] {
    return createContext({{"UCXX_LOCAL", "only"}})->createWorker(options);
  };
  Met met(worker(), worker(), true);
  ASSERT_TRUE(met.talks());
  const char byte = 1;
  const Requests requests{met.back->amRecv(), met.back->tagMultiRecv(Tag{1}, TagMaskFull),
                          met.there->amSend(&byte, 1, UCS_MEMORY_TYPE_CUDA),
                          met.there->tagMultiSend({&byte}, {1}, {1}, Tag{1})};
  ASSERT_TRUE(compat::ended({met.left, met.right}, requests));
  for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
  EXPECT_EQ(*static_cast<const char*>(requests[0]->getRecvBuffer()->data()), 1);
  for (const auto& each : {met.left, met.right}) EXPECT_TRUE(says(each, "UCX not started"));
}

TEST(LocalOnlyTest, HasNoHandlesOfUcxWorkers) {
  auto only = workerWith("only");
  EXPECT_THROW((void)only->getHandle(), UnsupportedError);
  EXPECT_THROW((void)only->getInfo(), UnsupportedError);
  EXPECT_GT(only->queryAttributes().maxAmHeader, 0u);
  EXPECT_NE(createContext({{"UCXX_LOCAL", "only"}})->getHandle(), nullptr);  // opens no port
}

}  // namespace
}  // namespace ucxx::core::test
