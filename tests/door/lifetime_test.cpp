// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Events that destroy what they are about, or something else; doors that go first.
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "door/door.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

struct LifetimeTest : testing::TestWithParam<Family> {
  World world;
  Owner& server = world.add();
  Owner& client = world.add();

  void meet() {
    client.call(GetParam() == Family::Tcp ? server.door->listen(farLoopback(), 7)
                                          : server.listen(Family::Unix));
    ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && server.events() == 1; }));
  }
};

TEST_P(LifetimeTest, ConnectionMayDieWhenItIsLost) {
  meet();
  server.on_lost = [&](Connection& connection) { server.drop(connection); };
  client.connections.clear();
  ASSERT_TRUE(world.runUntil([&] { return server.lost.size() == 1; }));
  EXPECT_TRUE(server.connections.empty());
}

TEST_P(LifetimeTest, LossIsToldOnce) {
  meet();
  client.connections.clear();
  ASSERT_TRUE(world.runUntil([&] { return server.lost.size() == 1; }));
  server.connections.at(0)->setExpecting(true);
  EXPECT_EQ(server.door->nextDeadline(), base::TimePoint::max());
  world.runFor(20ms);
  EXPECT_EQ(server.lost.size(), 1u);
  EXPECT_EQ(world.poller.dispatch(0), 0);
}

TEST_P(LifetimeTest, OneLossMayDestroyAllConnections) {
  const auto address = server.listen(GetParam());
  for (int i = 0; i < 5; ++i) client.call(address);
  ASSERT_TRUE(world.runUntil([&] { return server.events() == 5 && client.events() == 5; }));
  server.on_lost = [&](Connection&) { server.connections.clear(); };
  client.connections.clear();  // all five hang up in one round
  ASSERT_TRUE(world.runUntil([&] { return !server.lost.empty(); }));
  world.runFor(10ms);
  EXPECT_EQ(server.lost.size(), 1u);
}

TEST_P(LifetimeTest, ConnectionMayDieWhenItIsBorn) {
  server.on_connection = [&](Connection&) { server.connections.clear(); };
  client.on_connection = [&](Connection&) { client.connections.clear(); };
  client.call(server.listen(GetParam()));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && server.events() == 1; }));
  EXPECT_TRUE(server.lost.empty());
}

TEST_P(LifetimeTest, WelcomeMayHangUpOtherCalls) {
  const auto address = server.listen(GetParam());
  std::vector<Call*> calls;
  client.on_call_over = [&](Call& over) {
    for (Call* call : calls) {
      if (call != &over) client.door->hangUp(*call);
    }
    client.door->hangUp(over);  // already over: nothing
  };
  for (int i = 0; i < 5; ++i) calls.push_back(&client.call(address));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  world.runFor(10ms);
  EXPECT_EQ(client.events(), 1u);
}

TEST_P(LifetimeTest, FailureMayHangUpOtherCalls) {
  std::vector<Call*> calls;
  client.on_call_over = [&](Call& over) {
    for (Call* call : calls) {
      if (call != &over) client.door->hangUp(*call);
    }
  };
  for (int i = 0; i < 5; ++i) calls.push_back(&client.door->call({}, makeHello(), {}, nullptr, 1s));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  world.runFor(10ms);
  EXPECT_EQ(client.events(), 1u);
}

TEST_P(LifetimeTest, EndOfACallMayBeginAnother) {
  const auto address = server.listen(GetParam());
  client.on_call_over = [&](Call&) {
    client.on_call_over = nullptr;
    client.call(address);
  };
  client.door->call({}, makeHello(), {}, nullptr, 1s);
  ASSERT_TRUE(world.runUntil([&] { return client.welcomes.size() == 1; }));
}

TEST_P(LifetimeTest, HelloMayStopItsListener) {
  server.decide = [&](std::uint64_t listener, const Hello&) {
    server.door->stopListening(listener);
    return server.answer;
  };
  const auto address = server.listen(GetParam());
  // Two callers wait in the queue, hello in hand: the first is decided about while its listener
  // accepts, the second must not be accepted by a listener that is gone.
  Raw first = Raw::connectTo(address);
  Raw second = Raw::connectTo(address);
  first.send(encode(FrameKind::Hello, makeHello()));
  second.send(encode(FrameKind::Hello, makeHello()));
  ASSERT_TRUE(world.runUntil([&] { return !first.receive() && !second.receive(); }));
  EXPECT_TRUE(first.received.empty());
  EXPECT_EQ(server.asked.size(), 1u);
  EXPECT_EQ(server.events(), 0u);
}

TEST_P(LifetimeTest, AcceptedMayStopItsListener) {
  server.on_connection = [&](Connection&) { server.door->stopListening(7); };
  const auto address = server.listen(GetParam());
  client.call(address);
  client.call(address);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 2; }));
  EXPECT_EQ(client.welcomes.size(), 1u);
}

TEST_P(LifetimeTest, StoppedListenerEndsItsHalfOpenOnes) {
  const auto address = server.listen(GetParam(), 1);
  const auto other = server.listen(GetParam(), 2);
  Raw ends = Raw::connectTo(address);
  Raw stays = Raw::connectTo(other);
  ASSERT_TRUE(world.runUntil([&] { return server.door->counters().accepted == 2; }));
  server.door->stopListening(1);
  ASSERT_TRUE(world.runUntil([&] { return !ends.receive(); }));
  EXPECT_TRUE(stays.receive());
  client.call(address);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_UNREACHABLE);
}

TEST_P(LifetimeTest, EstablishedConnectionsOutliveTheirListener) {
  meet();
  server.door->stopListening(7);
  world.runFor(10ms);
  EXPECT_TRUE(server.lost.empty());
  EXPECT_TRUE(client.lost.empty());
}

TEST_P(LifetimeTest, ConnectionsMayOutliveTheirDoor) {
  meet();
  server.connections.at(0)->setExpecting(true);
  server.door.reset();
  client.connections.clear();
  world.runFor(10ms);
  EXPECT_TRUE(server.lost.empty());
  server.connections.at(0)->setExpecting(true);
  EXPECT_FALSE(server.connections.at(0)->peerAddress().toString().empty());
}

TEST_P(LifetimeTest, DoorEndsWithEverythingUnderWay) {
  const auto address = server.listen(GetParam());
  const Raw half_open = Raw::connectTo(address);
  client.call(address);
  world.turn(0ms);
  client.call(address);
  server.door.reset();
  client.door.reset();
  world.runFor(10ms);
  EXPECT_EQ(client.events(), 0u);
}

TEST_P(LifetimeTest, ExceptionOfTheOwnerLeavesTheDoorWhole) {
  server.decide = [&](std::uint64_t, const Hello&) -> Owner::Answer {
    if (server.asked.size() == 1) throw std::runtime_error("owner");
    return server.answer;
  };
  const auto address = server.listen(GetParam());
  Call& call = client.call(address);
  EXPECT_THROW(world.runUntil([] { return false; }), std::runtime_error);
  client.door->hangUp(call);
  client.call(address);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.welcomes.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Families, LifetimeTest, kBothFamilies, nameOf);

}  // namespace
}  // namespace ucxx::door::test
