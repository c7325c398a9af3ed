// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Whoever connects without being one of us: the door must not crash, stop, grow or wait.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/crc32c.h"
#include "door/door.h"
#include "door/drought.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

/// A door with one listener, and how a friend fares there.
class StrangerTest : public testing::TestWithParam<Family> {
 protected:
  void open(const Limits& limits = {}) {
    server = &world.add(limits);
    address = server->listen(GetParam());
  }

  const Counters& counters() const { return server->door->counters(); }

  bool hangsUpOn(Raw& stranger) {
    return world.runUntil([&] { return !stranger.receive(); });
  }

  bool welcomesAFriend() {
    Owner& client = world.add();
    client.call(address);
    const bool met = world.runUntil([&] { return client.events() == 1; });
    return met && client.welcomes.size() == 1;
  }

  /// What the door said before it hung up.
  Decoded lastWordTo(Raw& stranger) {
    EXPECT_TRUE(hangsUpOn(stranger));
    return decode(stranger.received, {});
  }

  World world;
  Owner* server = nullptr;
  SocketAddress address;
};

using AddressLimitTest = StrangerTest;

TEST_P(StrangerTest, GarbageIsClosedAtOnce) {
  open();
  Raw stranger = Raw::connectTo(address);
  stranger.send(std::string(1, 'x'));
  const auto begin = base::Clock::now();
  EXPECT_TRUE(hangsUpOn(stranger));
  EXPECT_LT(base::Clock::now() - begin, 1s);  // not by the deadline of 2 s
  EXPECT_TRUE(stranger.received.empty());
  EXPECT_EQ(counters().garbage, 1u);
  EXPECT_TRUE(welcomesAFriend());
}

TEST_P(StrangerTest, GreetingsOfOtherProtocolsAreClosed) {
  open();
  const std::vector<std::string> greetings{
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + std::string(64, 'r'),
      "SSH-2.0-OpenSSH_9.2\r\n",
      std::string("\0\0\0\0\0\0\0\0", 8),
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\x93UCXY",
      std::string(100000, 'A')};
  for (const auto& greeting : greetings) {
    Raw stranger = Raw::connectTo(address);
    stranger.send(greeting);
    EXPECT_TRUE(hangsUpOn(stranger)) << greeting.substr(0, 10);
    EXPECT_TRUE(stranger.received.empty());
  }
  EXPECT_EQ(counters().garbage, greetings.size());
  EXPECT_EQ(server->asked.size(), 0u);
  EXPECT_TRUE(welcomesAFriend());
}

TEST_P(StrangerTest, GarbageThenGoodbyeIsCounted) {
  open();
  {
    Raw stranger = Raw::connectTo(address);
    stranger.send("scan");
  }
  EXPECT_TRUE(world.runUntil([&] { return counters().garbage == 1; }));
}

TEST_P(StrangerTest, AnotherVersionIsTold) {
  open();
  // What is behind the header of a later version need not make sense to us, nor be here already.
  auto header = helloBytes();
  header.resize(kFrameHeaderBytes);
  header[8] = std::byte{kProtocolVersion + 1};
  const std::uint32_t crc = base::crc32c(std::span(header).first(kFrameHeaderBytes - 4));
  for (int i = 0; i < 4; ++i) header[20 + i] = static_cast<std::byte>(crc >> (8 * i) & 0xff);
  Raw stranger = Raw::connectTo(address);
  stranger.send(header);
  EXPECT_EQ(lastWordTo(stranger).frame.refused.reason, Refusal::Version);
  EXPECT_EQ(counters().refused, 1u);
  EXPECT_TRUE(welcomesAFriend());
}

TEST_P(StrangerTest, SlowPeerIsWelcome) {
  open();
  Raw slow = Raw::connectTo(address);
  for (const std::byte byte : helloBytes()) {
    ASSERT_TRUE(slow.send(std::span(&byte, 1)));
    world.turn(0ms);
  }
  ASSERT_TRUE(world.runUntil([&] { return server->accepted.size() == 1; }));
  slow.receive();
  EXPECT_EQ(decode(slow.received, {}).frame.kind, FrameKind::Welcome);
}

TEST_P(StrangerTest, HelloTruncatedAtEveryByteIsForgotten) {
  open();
  const auto bytes = helloBytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Raw stranger = Raw::connectTo(address);
    stranger.send(std::span(bytes).first(length));
    world.turn(0ms);
  }
  EXPECT_TRUE(world.runUntil([&] { return counters().accepted == bytes.size(); }));
  // All are gone, though no deadline has passed.
  EXPECT_TRUE(
      world.runUntil([&] { return server->door->nextDeadline() == base::TimePoint::max(); }));
  EXPECT_EQ(server->asked.size(), 0u);
  EXPECT_TRUE(welcomesAFriend());
}

TEST_P(StrangerTest, EveryFlippedBitIsRefused) {
  open();
  auto bytes = helloBytes();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    Raw stranger = Raw::connectTo(address);
    stranger.send(bytes);
    ASSERT_TRUE(hangsUpOn(stranger)) << bit;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_EQ(server->asked.size(), 0u);
  EXPECT_EQ(counters().garbage, bytes.size() * 8);
  EXPECT_TRUE(welcomesAFriend());
}

TEST_P(StrangerTest, SilentPeerIsCutAtTheDeadline) {
  open({.handshake_ms = 100});
  Raw silent = Raw::connectTo(address);
  const auto begin = base::Clock::now();
  EXPECT_TRUE(hangsUpOn(silent));
  EXPECT_GE(base::Clock::now() - begin, 90ms);
  EXPECT_EQ(counters().timed_out, 1u);
}

TEST_P(StrangerTest, DripOfBytesDoesNotMoveTheDeadline) {
  open({.handshake_ms = 100});
  Raw slow = Raw::connectTo(address);
  const auto bytes = helloBytes();
  std::size_t sent = 0;
  auto next = base::Clock::now();
  EXPECT_TRUE(world.runUntil([&] {
    if (base::Clock::now() >= next && sent < bytes.size()) {
      slow.send(std::span(bytes).subspan(sent++, 1));
      next += 20ms;
    }
    return !slow.receive();
  }));
  EXPECT_LT(sent, bytes.size());
  EXPECT_EQ(counters().timed_out, 1u);
}

TEST_P(AddressLimitTest, HalfOpenOnesOfOneAddressAreLimited) {
  open({.half_open_per_address = 3});
  std::vector<Raw> silent(3);
  for (Raw& stranger : silent) stranger = Raw::connectTo(address);
  Raw fourth = Raw::connectTo(address);
  EXPECT_EQ(lastWordTo(silent[0]).frame.refused.reason, Refusal::Busy);
  EXPECT_EQ(counters().refused, 1u);

  // Another address is not their fault, and a place that becomes free is free.
  Raw elsewhere(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto source = resolve("127.0.0.2", 0, false).at(0);
  ASSERT_EQ(
      ::bind(elsewhere.fd(), reinterpret_cast<const sockaddr*>(&source.storage), source.length), 0);
  ASSERT_EQ(::connect(elsewhere.fd(), reinterpret_cast<const sockaddr*>(&address.storage),
                      address.length),
            0);
  elsewhere.send(helloBytes());
  EXPECT_TRUE(world.runUntil([&] { return server->accepted.size() == 1; }));
  silent.pop_back();
  EXPECT_TRUE(welcomesAFriend());
}

TEST_P(StrangerTest, HalfOpenOnesInAllAreLimited) {
  open({.half_open = 2, .half_open_per_address = 100});
  std::vector<Raw> silent(2);
  for (Raw& stranger : silent) stranger = Raw::connectTo(address);
  Raw third = Raw::connectTo(address);
  EXPECT_EQ(lastWordTo(silent[0]).frame.refused.reason, Refusal::Busy);
  EXPECT_EQ(counters().refused, 1u);
}

TEST_P(StrangerTest, FriendDoesNotWaitForSlowloris) {
  open({.handshake_ms = 1'000'000, .half_open = 2});
  std::vector<Raw> silent(2);
  for (Raw& stranger : silent) stranger = Raw::connectTo(address);
  ASSERT_TRUE(world.runUntil([&] { return counters().accepted == 2; }));
  EXPECT_TRUE(welcomesAFriend());
  EXPECT_EQ(counters().timed_out, 0u);
}

TEST_P(StrangerTest, HelloThatIsHereIsHeardThoughItsPlaceIsTaken) {
  open({.half_open = 1});
  Raw slow = Raw::connectTo(address);
  ASSERT_TRUE(world.runUntil([&] { return counters().accepted == 1; }));
  // Both come before the door looks: whatever it sees first, the hello is not lost.
  slow.send(helloBytes());
  Raw silent = Raw::connectTo(address);
  ASSERT_TRUE(world.runUntil([&] { return server->accepted.size() == 1; }));
  slow.receive();
  EXPECT_EQ(decode(slow.received, {}).frame.kind, FrameKind::Welcome);
}

TEST_P(StrangerTest, SecondFrameOfAPeerEndsItsConnection) {
  open();
  Raw peer = Raw::connectTo(address);
  auto bytes = helloBytes();
  const auto again = helloBytes();
  bytes.insert(bytes.end(), again.begin(), again.end());
  peer.send(bytes);
  EXPECT_TRUE(world.runUntil([&] { return server->lost.size() == 1; }));
  EXPECT_EQ(server->lost.at(0).status, UCS_ERR_CONNECTION_RESET);
}

TEST_P(StrangerTest, PeerThatLeavesBeforeTheAnswerIsNotAccepted) {
  open();
  {
    Raw peer = Raw::connectTo(address);
    ASSERT_TRUE(world.runUntil([&] { return counters().accepted == 1; }));
    peer.send(helloBytes());
  }
  ASSERT_TRUE(
      world.runUntil([&] { return server->door->nextDeadline() == base::TimePoint::max(); }));
  EXPECT_EQ(server->asked.size(), 0u);
  EXPECT_EQ(server->accepted.size(), 0u);
}

TEST_P(StrangerTest, SilentOnesCostNoTurns) {
  open();
  Raw silent = Raw::connectTo(address);
  Raw half = Raw::connectTo(address);
  const auto hello = helloBytes();
  half.send(std::span(hello).first(30));
  ASSERT_TRUE(world.runUntil([&] { return counters().accepted == 2; }));
  world.turn(1ms);
  EXPECT_EQ(world.poller.dispatch(0), 0);
}

TEST_P(StrangerTest, WithoutDescriptorsAcceptingPausesAndRecovers) {
  open();
  Raw first = Raw::connectTo(address);
  Raw second = Raw::connectTo(address);
  {
    const Drought drought;
    ASSERT_TRUE(world.runUntil([&] { return counters().out_of_descriptors == 1; }));
    // One is told to come again, the other waits; the loop does not spin meanwhile.
    EXPECT_EQ(lastWordTo(first).frame.refused.reason, Refusal::OutOfDescriptors);
    EXPECT_EQ(counters().out_of_descriptors, 1u);
    EXPECT_LE(server->door->nextDeadline(), base::Clock::now() + 100ms);
    EXPECT_EQ(world.poller.dispatch(0), 0);
    ASSERT_TRUE(world.runUntil([&] { return counters().out_of_descriptors == 2; }));
    EXPECT_EQ(lastWordTo(second).frame.refused.reason, Refusal::OutOfDescriptors);
  }
  EXPECT_TRUE(welcomesAFriend());
}

TEST_P(StrangerTest, CallWithoutDescriptorsEnds) {
  open();
  Owner& client = world.add();
  {
    const Drought drought;
    client.call(address);
  }
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_NO_RESOURCE);
}

INSTANTIATE_TEST_SUITE_P(Families, StrangerTest, kBothFamilies, nameOf);
INSTANTIATE_TEST_SUITE_P(Families, AddressLimitTest, testing::Values(Family::Tcp), nameOf);

}  // namespace
}  // namespace ucxx::door::test
