// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Calls that end badly, late, or at the second address.
#include <vector>

#include <gtest/gtest.h>

#include "door/door.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

/// An address where nobody listens.
SocketAddress emptyAddress(Family family) {
  const Raw gone = Raw::listenOn(freshAddress(family), 1);
  return gone.address();
}

struct CallTest : testing::TestWithParam<Family> {
  bool ended() {
    return world.runUntil([&] { return client.events() == 1; });
  }
  /// Accepts from `listening` while the loop runs.
  Raw acceptFrom(const Raw& listening) {
    Raw peer;
    EXPECT_TRUE(world.runUntil([&] {
      peer = listening.accept();
      return peer.fd() >= 0;
    }));
    return peer;
  }

  World world;
  Owner& client = world.add();
};

/// A Unix socket has no kernel that waits in line: see local_test.cpp.
using BacklogTest = CallTest;

TEST_P(CallTest, NobodyThereIsUnreachable) {
  client.call(emptyAddress(GetParam()));
  ASSERT_TRUE(ended());
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_UNREACHABLE);
  EXPECT_FALSE(client.ended.at(0).refused);
}

TEST_P(CallTest, NoAddressIsUnreachableButNotBeforeTheLoopTurns) {
  client.door->call({}, makeHello(), {}, nullptr, 10s);
  EXPECT_EQ(client.events(), 0u);
  EXPECT_LE(client.door->nextDeadline(), base::Clock::now());
  ASSERT_TRUE(ended());
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_UNREACHABLE);
}

TEST_P(CallTest, SilentDoorTimesOut) {
  const Raw listening = Raw::listenOn(freshAddress(GetParam()), 8);
  const auto begin = base::Clock::now();
  client.call(listening.address(), 100ms);
  ASSERT_TRUE(ended());
  EXPECT_GE(base::Clock::now() - begin, 100ms);
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_TIMED_OUT);
}

TEST_P(BacklogTest, FullOneTimesOut) {
  const Raw listening = Raw::listenOn(freshAddress(GetParam()), 0);
  const Raw fills_the_backlog = Raw::connectTo(listening.address());
  client.call(listening.address(), 100ms);
  ASSERT_TRUE(ended());
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_TIMED_OUT);
}

TEST_P(CallTest, DoorThatHangsUpIsAReset) {
  const Raw listening = Raw::listenOn(freshAddress(GetParam()), 8);
  client.call(listening.address());
  acceptFrom(listening).close();
  ASSERT_TRUE(ended());
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_CONNECTION_RESET);
}

TEST_P(CallTest, ServerOfAnotherProtocolIsNoDoor) {
  const Raw listening = Raw::listenOn(freshAddress(GetParam()), 8);
  client.call(listening.address());
  const Raw server = acceptFrom(listening);
  server.send("220 mail.example.org ESMTP\r\n");
  ASSERT_TRUE(ended());
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_INVALID_ADDR);
}

TEST_P(CallTest, SlowDoorIsHeardOut) {
  const Raw listening = Raw::listenOn(freshAddress(GetParam()), 8);
  client.call(listening.address());
  const Raw server = acceptFrom(listening);
  for (const std::byte byte : encode(FrameKind::Welcome, makeHello(9))) {
    ASSERT_TRUE(server.send(std::span(&byte, 1)));
    world.turn(0ms);
  }
  ASSERT_TRUE(ended());
  EXPECT_EQ(client.welcomes.at(0), makeHello(9));
}

TEST_P(CallTest, AnswerTruncatedAtEveryByteIsAReset) {
  const auto bytes = encode(FrameKind::Welcome, makeHello(9));
  const Raw listening = Raw::listenOn(freshAddress(GetParam()), 8);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    client.call(listening.address());
    acceptFrom(listening).send(std::span(bytes).first(length));
    ASSERT_TRUE(world.runUntil([&] { return client.ended.size() == length + 1; }));
    EXPECT_EQ(client.ended.back().status, UCS_ERR_CONNECTION_RESET);
  }
}

TEST_P(CallTest, SecondAddressIsTriedAtOnce) {
  Owner& server = world.add();
  const Raw silent = Raw::listenOn(freshAddress(GetParam()), 0);
  const Raw fills_the_backlog = Raw::connectTo(silent.address());
  client.door->call({emptyAddress(GetParam()), silent.address(), server.listen(GetParam())},
                    makeHello(), {}, nullptr, 10s);
  ASSERT_TRUE(ended());
  EXPECT_EQ(client.welcomes.size(), 1u);
}

TEST_P(CallTest, NextAddressSpeaksWhenTheFirstIsNoDoor) {
  Owner& server = world.add();
  const auto address = server.listen(GetParam());
  const Raw mail = Raw::listenOn(freshAddress(GetParam()), 8);
  client.door->call({mail.address(), address}, makeHello(), {}, nullptr, 10s);
  const Raw peer = acceptFrom(mail);
  peer.send("220 mail.example.org ESMTP\r\n");
  ASSERT_TRUE(ended());
  EXPECT_EQ(client.welcomes.size(), 1u);
}

/// The same program listens at its other addresses. With a secret, secret_door_test.cpp.
TEST_P(CallTest, WithoutASecretEveryWordIsFinal) {
  Owner& server = world.add();
  const Raw other = Raw::listenOn(freshAddress(GetParam()), 8);
  client.door->call({other.address(), server.listen(GetParam())}, makeHello(), {}, nullptr, 10s);
  acceptFrom(other).send(encode(Refused{.reason = Refusal::Version}));
  ASSERT_TRUE(ended());
  ASSERT_EQ(client.ended.size(), 1u);
  EXPECT_EQ(client.ended.at(0).refused, Refused{.reason = Refusal::Version});
}

TEST_P(CallTest, OnlyOneAddressHearsTheHello) {
  Owner& server = world.add();
  const auto first = server.listen(GetParam(), 1);
  const auto second = server.listen(GetParam(), 2);
  client.door->call({first, second}, makeHello(), {}, nullptr, 10s);
  ASSERT_TRUE(ended());
  // The other connection hangs up and leaves nothing behind.
  ASSERT_TRUE(world.runUntil([&] {
    return server.door->counters().accepted == 2 &&
           server.door->nextDeadline() == base::TimePoint::max();
  }));
  EXPECT_EQ(server.asked.size(), 1u);
}

TEST_P(CallTest, WaitingCallCostsNoTurns) {
  const Raw first = Raw::listenOn(freshAddress(GetParam()), 8);
  const Raw second = Raw::listenOn(freshAddress(GetParam()), 8);
  client.door->call({first.address(), second.address()}, makeHello(), {}, nullptr, 10s);
  const Raw one = acceptFrom(first);
  const Raw other = acceptFrom(second);
  world.runFor(20ms);
  EXPECT_EQ(world.poller.dispatch(0), 0);
}

TEST_P(CallTest, HungUpCallIsNotHeardOfAgain) {
  Owner& server = world.add();
  Call& call = client.call(server.listen(GetParam()));
  client.door->hangUp(call);
  client.door->hangUp(client.call(emptyAddress(GetParam())));
  EXPECT_EQ(client.door->nextDeadline(), base::TimePoint::max());
  world.runFor(20ms);
  EXPECT_EQ(client.events(), 0u);
}

TEST_P(CallTest, BeatsBehindTheWelcomeBelongToTheConnection) {
  const Raw listening = Raw::listenOn(freshAddress(GetParam()), 8);
  client.call(listening.address());
  Raw server = acceptFrom(listening);
  auto bytes = encode(FrameKind::Welcome, makeHello(9));
  bytes.push_back(std::byte{0xb1});
  server.send(bytes);
  ASSERT_TRUE(ended());
  const std::size_t hello = encode(FrameKind::Hello, makeHello()).size();
  ASSERT_TRUE(world.runUntil([&] {
    server.receive();
    return server.received.size() == hello + 1;
  }));
  EXPECT_EQ(server.received.back(), std::byte{0xb2});
  EXPECT_TRUE(client.lost.empty());
}

INSTANTIATE_TEST_SUITE_P(Families, CallTest, kBothFamilies, nameOf);
INSTANTIATE_TEST_SUITE_P(Families, BacklogTest, testing::Values(Family::Tcp), nameOf);

}  // namespace
}  // namespace ucxx::door::test
