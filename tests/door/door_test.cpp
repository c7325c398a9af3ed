// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/door.h"

#include <string>

#include <gtest/gtest.h>

#include <ucxx/exception.h>

#include "door/world.h"

namespace ucxx::door::test {
namespace {

struct DoorTest : testing::TestWithParam<Family> {};

TEST_P(DoorTest, CallerAndAnswererMeet) {
  World world;
  Owner& server = world.add();
  Owner& client = world.add();
  client.call(server.listen(GetParam()));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && server.events() == 1; }));

  EXPECT_EQ(server.accepted.at(0), makeHello());
  Hello answer = server.answer;
  answer.listener = 7;
  EXPECT_EQ(client.welcomes.at(0), answer);
  EXPECT_EQ(client.connections.at(0)->peerAddress(), server.connections.at(0)->localAddress());
  EXPECT_EQ(client.connections.at(0)->localAddress(), server.connections.at(0)->peerAddress());
  EXPECT_EQ(server.door->counters().accepted, 1u);
  EXPECT_EQ(server.door->counters().welcomed, 1u);
}

TEST(TcpDoorTest, WorksOverIpv6) {
  if (!hasIpv6()) GTEST_SKIP() << "no IPv6 here";
  World world;
  Owner& server = world.add();
  Owner& client = world.add();
  client.call(server.door->listen(loopback6(), 1));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && server.events() == 1; }));
  EXPECT_EQ(client.connections.at(0)->peerAddress().ip(), "::1");
}

TEST_P(DoorTest, CallsItself) {
  World world;
  Owner& worker = world.add();
  worker.call(worker.listen(GetParam()));
  ASSERT_TRUE(world.runUntil([&] { return worker.events() == 2; }));
  EXPECT_EQ(worker.connections.size(), 2u);
}

TEST_P(DoorTest, TwoCallEachOther) {
  World world;
  Owner& one = world.add();
  Owner& other = world.add();
  const auto one_address = one.listen(GetParam());
  const auto other_address = other.listen(GetParam());
  one.call(other_address);
  other.call(one_address);
  ASSERT_TRUE(world.runUntil([&] { return one.events() == 2 && other.events() == 2; }));
}

TEST_P(DoorTest, CallKeepsItsContext) {
  World world;
  Owner& client = world.add();
  int context = 0;
  Call& call = client.door->call({}, makeHello(), {}, &context, 1s);
  EXPECT_EQ(contextOf(call), &context);
}

TEST(TcpDoorTest, WildcardsOfBothFamiliesShareAPort) {
  if (!hasIpv6()) GTEST_SKIP() << "no IPv6 here";
  World world;
  Owner& server = world.add();
  const auto four = server.door->listen(resolve("0.0.0.0", 0, true).at(0), 3);
  const auto six = server.door->listen(resolve("::", four.port(), true).at(0), 3);
  EXPECT_EQ(four.port(), six.port());
  EXPECT_GE(four.port(), 1024);

  Owner& client = world.add();
  client.call(loopback4(four.port()));
  client.call(loopback6(four.port()));
  ASSERT_TRUE(world.runUntil([&] { return client.welcomes.size() == 2; }));
  EXPECT_EQ(client.welcomes.at(0).listener, 3u);
  EXPECT_EQ(client.welcomes.at(1).listener, 3u);
}

TEST_P(DoorTest, TellsWhichListenerWasReached) {
  World world;
  Owner& server = world.add();
  server.listen(GetParam(), 1);
  const auto second = server.listen(GetParam(), 2);
  Owner& client = world.add();
  client.call(second);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.welcomes.at(0).listener, 2u);
}

TEST_P(DoorTest, AddressInUseIsBusyAndNamed) {
  World world;
  Owner& server = world.add();
  const auto taken = server.listen(GetParam());
  try {
    server.door->listen(taken, 8);
    FAIL() << "listened twice on " << taken.toString();
  } catch (const BusyError& error) {
    EXPECT_NE(std::string(error.what()).find(taken.toString()), std::string::npos);
  }
}

TEST(TcpDoorTest, ForeignAddressIsInvalid) {
  World world;
  Owner& server = world.add();
  EXPECT_THROW(server.door->listen(resolve("192.0.2.1", 0, true).at(0), 1), InvalidAddrError);
}

TEST_P(DoorTest, RefusalsReachTheCaller) {
  for (const auto reason :
       {Refusal::Existing, Refusal::Crossing, Refusal::Closing, Refusal::Authentication,
        Refusal::TooLarge, Refusal::Malformed, Refusal::Nearer}) {
    World world;
    Owner& server = world.add();
    const Refused refused{reason, 11, 12, {13, 14}, {15, 16}};
    server.decide = [&](std::uint64_t, const Hello&) { return refused; };
    Owner& client = world.add();
    client.call(server.listen(GetParam()));
    ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
    EXPECT_EQ(client.ended.at(0).status, UCS_ERR_REJECTED);
    EXPECT_EQ(client.ended.at(0).refused, refused);
    EXPECT_EQ(server.events(), 0u);
  }
}

TEST_P(DoorTest, RefusalsAreCounted) {
  World world;
  Owner& server = world.add();
  server.decide = [](std::uint64_t, const Hello&) { return Refused{.reason = Refusal::Closing}; };
  Owner& client = world.add();
  client.call(server.listen(GetParam()));
  ASSERT_TRUE(world.runUntil([&] { return server.door->counters().refused == 1; }));
}

TEST_P(DoorTest, BusyDoorIsCalledAgain) {
  World world;
  Owner& server = world.add();
  server.decide = [&](std::uint64_t, const Hello&) -> Owner::Answer {
    if (server.asked.size() < 4) return Refused{.reason = Refusal::Busy};
    return server.answer;
  };
  Owner& client = world.add();
  client.call(server.listen(GetParam()));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.welcomes.size(), 1u);
  EXPECT_EQ(server.asked.size(), 4u);
}

TEST_P(DoorTest, AlwaysBusyDoorEndsTheCallAsRejected) {
  World world;
  Owner& server = world.add();
  server.decide = [](std::uint64_t, const Hello&) { return Refused{.reason = Refusal::Busy}; };
  Owner& client = world.add();
  client.call(server.listen(GetParam()), 100ms);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_REJECTED);
  EXPECT_EQ(client.ended.at(0).refused->reason, Refusal::Busy);
}

TEST_P(DoorTest, WrongWorkerSendsTheCallToTheNextAddress) {
  World world;
  Owner& stranger = world.add();
  stranger.decide = [](std::uint64_t, const Hello&) {
    return Refused{.reason = Refusal::WrongWorker};
  };
  Owner& friendly = world.add();
  Owner& client = world.add();
  client.door->call({stranger.listen(GetParam()), friendly.listen(GetParam())}, makeHello(), {},
                    nullptr, 10s);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && friendly.events() == 1; }));
  EXPECT_EQ(client.welcomes.size(), 1u);
}

TEST_P(DoorTest, ManyCallersAtOnceAllMeet) {
  // More than the door takes half-open from one address, and more than one round accepts.
  constexpr std::size_t kCallers = 200;
  World world;
  Owner& server = world.add();
  const auto address = server.listen(GetParam());
  Owner& client = world.add();
  for (std::size_t i = 0; i < kCallers; ++i) client.call(address);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == kCallers; }));
  EXPECT_EQ(client.welcomes.size(), kCallers);
}

TEST_P(DoorTest, HugeAnswerGoesOutInPieces) {
  Limits limits;
  limits.hello_bytes = 32 << 20;
  limits.address_bytes = 16 << 20;
  World world;
  Owner& server = world.add(limits);
  server.answer.ucx_address.assign(12 << 20, std::byte{0x5a});
  Owner& client = world.add(limits);
  client.call(server.listen(GetParam()));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && server.events() == 1; }));
  EXPECT_EQ(client.welcomes.at(0).ucx_address, server.answer.ucx_address);
}

TEST_P(DoorTest, HelloOverTheLimitIsRefused) {
  World world;
  Owner& server = world.add();
  Owner& client = world.add();
  Hello hello = makeHello();
  hello.ucx_address.assign(64 << 10, std::byte{1});
  client.door->call({server.listen(GetParam())}, hello, {}, nullptr, 10s);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.ended.at(0).refused->reason, Refusal::TooLarge);
  EXPECT_TRUE(server.asked.empty());
}

TEST_P(DoorTest, MeetingsLeaveNoDescriptorBehind) {
  World world;
  Owner& server = world.add();
  Owner& client = world.add();
  const auto address = server.listen(GetParam());
  const auto before = countOpenDescriptors();
  for (std::size_t i = 1; i <= 300; ++i) {
    client.call(address);
    ASSERT_TRUE(world.runUntil([&] { return client.events() == i && server.events() == i; }));
    (i % 2 == 0 ? client : server).connections.clear();  // both sides hang up in turn
    Owner& other = i % 2 == 0 ? server : client;
    ASSERT_TRUE(world.runUntil([&] { return other.lost.size() == (i + i % 2) / 2; }));
    other.connections.clear();
  }
  EXPECT_EQ(countOpenDescriptors(), before);
}

TEST_P(DoorTest, HasNothingToDoWhenNothingIsUnderWay) {
  World world;
  Owner& server = world.add();
  Owner& client = world.add();
  client.call(server.listen(GetParam()));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && server.events() == 1; }));
  EXPECT_EQ(server.door->nextDeadline(), base::TimePoint::max());
  EXPECT_EQ(client.door->nextDeadline(), base::TimePoint::max());
}

INSTANTIATE_TEST_SUITE_P(Families, DoorTest, kBothFamilies, nameOf);

}  // namespace
}  // namespace ucxx::door::test
