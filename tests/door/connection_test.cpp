// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "door/door.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

constexpr std::byte kBeat{0xb1};
constexpr std::byte kBeatAnswer{0xb2};

/// One connection whose other end is a plain socket.
struct ConnectionTest : testing::TestWithParam<Family> {
  World world;
  Owner& server = world.add();
  Raw peer;

  void SetUp() override {
    peer = Raw::connectTo(GetParam() == Family::Tcp ? server.door->listen(farLoopback(), 1)
                                                    : server.listen(Family::Unix, 1));
    peer.send(encode(FrameKind::Hello, makeHello()));
    ASSERT_TRUE(world.runUntil([&] { return server.connections.size() == 1; }));
    Hello answer = server.answer;
    answer.listener = 1;
    const std::size_t welcome = encode(FrameKind::Welcome, answer).size();
    ASSERT_TRUE(world.runUntil([&] {
      peer.receive();
      return peer.received.size() == welcome;
    }));
    peer.received.clear();
  }

  Connection& connection() { return *server.connections.at(0); }
  std::ptrdiff_t beats() {
    peer.receive();
    return std::count(peer.received.begin(), peer.received.end(), kBeat);
  }
  bool lost() {
    return world.runUntil([&] { return server.lost.size() == 1; });
  }
};

/// Whose peer could be on another machine.
using FarConnectionTest = ConnectionTest;

TEST_P(ConnectionTest, HangUpIsALoss) {
  peer.close();
  ASSERT_TRUE(lost());
  EXPECT_EQ(server.lost.at(0).connection, &connection());
  EXPECT_EQ(server.lost.at(0).status, UCS_ERR_CONNECTION_RESET);
}

TEST_P(FarConnectionTest, ResetIsALoss) {
  const linger hard{1, 0};
  ::setsockopt(peer.fd(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  peer.close();
  ASSERT_TRUE(lost());
  EXPECT_EQ(server.lost.at(0).status, UCS_ERR_CONNECTION_RESET);
}

TEST_P(ConnectionTest, UnknownByteIsALoss) {
  peer.send(std::string("\xb1\xb2?"));
  ASSERT_TRUE(lost());
  EXPECT_EQ(server.lost.at(0).status, UCS_ERR_CONNECTION_RESET);
}

TEST_P(ConnectionTest, DestructionHangsUp) {
  server.connections.clear();
  EXPECT_TRUE(world.runUntil([&] { return !peer.receive(); }));
  EXPECT_TRUE(server.lost.empty());
}

TEST_P(ConnectionTest, BeatsReadTogetherGetOneAnswer) {
  peer.send(std::string("\xb1\xb1\xb1\xb1"));
  ASSERT_TRUE(world.runUntil([&] {
    peer.receive();
    return !peer.received.empty();
  }));
  world.runFor(10ms);
  peer.receive();
  EXPECT_EQ(peer.received, std::vector{kBeatAnswer});
}

TEST_P(ConnectionTest, AnswersAreNotAnswered) {
  peer.send(std::string("\xb2\xb2"));
  world.runFor(20ms);
  EXPECT_TRUE(peer.receive());
  EXPECT_TRUE(peer.received.empty());
}

TEST_P(FarConnectionTest, BeatsOnlyWhileExpecting) {
  EXPECT_EQ(server.door->nextDeadline(), base::TimePoint::max());
  const auto begin = base::Clock::now();
  connection().setExpecting(true);
  EXPECT_GT(server.door->nextDeadline(), begin + 200ms);
  ASSERT_TRUE(world.runUntil([&] { return beats() == 2; }));
  EXPECT_GT(base::Clock::now(), begin + 450ms);

  connection().setExpecting(false);
  ASSERT_TRUE(
      world.runUntil([&] { return server.door->nextDeadline() == base::TimePoint::max(); }));
  EXPECT_LE(beats(), 3);
}

TEST_P(FarConnectionTest, ShortExpectationsCostNoBeat) {
  for (int i = 0; i < 1000; ++i) {
    connection().setExpecting(true);
    connection().setExpecting(false);
  }
  ASSERT_TRUE(
      world.runUntil([&] { return server.door->nextDeadline() == base::TimePoint::max(); }));
  EXPECT_LE(beats(), 1);
}

TEST_P(FarConnectionTest, UnansweredBeatsAreLimitedAndFitIntoThePeersKernel) {
  connection().setExpecting(true);
  auto now = base::Clock::now();
  for (int i = 0; i < 5000; ++i) server.door->onTime(now += 250ms);
  // The peer's program has read nothing, yet its kernel has acknowledged everything: silence of a
  // program never looks like silence of a machine.
  const auto queued = [&] {
    int bytes = 0;
    ::ioctl(peer.fd(), FIONREAD, &bytes);
    return bytes;
  };
  EXPECT_TRUE(world.runUntil([&] { return queued() >= 4096; })) << queued();
  world.runFor(2s);  // longer than the user timeout
  EXPECT_TRUE(server.lost.empty());

  ASSERT_EQ(beats(), 4096);
  peer.send(std::string("\xb2"));
  world.runFor(10ms);
  now = std::max(now, base::Clock::now());
  server.door->onTime(now + 1h);
  EXPECT_TRUE(world.runUntil([&] { return beats() == 4097; }));
}

TEST_P(FarConnectionTest, SilentPeerIsLostWithinTheUserTimeout) {
  connection().setExpecting(true);
  ASSERT_TRUE(world.runUntil([&] { return beats() == 1; }));
  const auto begin = base::Clock::now();
  peer.goDeaf();
  ASSERT_TRUE(lost());
  EXPECT_EQ(server.lost.at(0).status, UCS_ERR_ENDPOINT_TIMEOUT);
  EXPECT_LT(base::Clock::now() - begin, 2500ms);  // a beat, the timeout of 1 s, kernel's timers
}

TEST_P(FarConnectionTest, SilentPeerIsLostByKeepaliveAlone) {
  const auto begin = base::Clock::now();
  peer.goDeaf();
  ASSERT_TRUE(lost());
  EXPECT_EQ(server.lost.at(0).status, UCS_ERR_ENDPOINT_TIMEOUT);
  EXPECT_LT(base::Clock::now() - begin, 8s);
}

struct OneKernelTest : testing::TestWithParam<Family> {};

TEST_P(OneKernelTest, NeedsNoBeats) {
  World world;
  Owner& worker = world.add();
  worker.call(worker.listen(GetParam()));
  ASSERT_TRUE(world.runUntil([&] { return worker.events() == 2; }));
  worker.connections.at(0)->setExpecting(true);
  EXPECT_EQ(worker.door->nextDeadline(), base::TimePoint::max());
}

TEST(ConnectionsTest, DoorsAnswerEachOthersBeats) {
  World world;
  Owner& server = world.add();
  Owner& client = world.add();
  client.call(server.door->listen(farLoopback(), 1));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && server.events() == 1; }));
  client.connections.at(0)->setExpecting(true);
  server.connections.at(0)->setExpecting(true);
  auto now = base::Clock::now();
  for (int i = 0; i < 10000; ++i) {  // more than the limit of unanswered ones
    client.door->onTime(now += 250ms);
    server.door->onTime(now);
    world.poller.dispatch(0);
  }
  EXPECT_TRUE(client.lost.empty());
  EXPECT_TRUE(server.lost.empty());
}

INSTANTIATE_TEST_SUITE_P(Families, ConnectionTest, kBothFamilies, nameOf);
INSTANTIATE_TEST_SUITE_P(Families, FarConnectionTest, testing::Values(Family::Tcp), nameOf);
INSTANTIATE_TEST_SUITE_P(Families, OneKernelTest, kBothFamilies, nameOf);

}  // namespace
}  // namespace ucxx::door::test
