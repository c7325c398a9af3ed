// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Doors with a secret, over real sockets: whom they meet, and what strangers cost them.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <ucxx/log.h>

#include "door/door.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

class SecretDoorTest : public testing::TestWithParam<Family> {
 protected:
  void open(const Limits& limits = {}) {
    server = &world.add(limits, kSecret);
    address = server->listen(GetParam());
  }
  /// Calls once; its end.
  Owner& calls(const SharedSecret& secret) {
    Owner& client = world.add({}, secret);
    client.call(address);
    EXPECT_TRUE(world.runUntil([&] { return client.events() == 1; }));
    return client;
  }
  bool isRefused(const Owner& client) const {
    return client.ended.size() == 1 && client.ended.front().status == UCS_ERR_REJECTED &&
           client.ended.front().refused == Refused{.reason = Refusal::Authentication};
  }

  /// Says so to the one who calls there, and hangs up.
  void answerOnce(const Raw& listening, const std::vector<std::byte>& words) {
    Raw caller;
    ASSERT_TRUE(world.runUntil([&] {
      caller = listening.accept();
      return caller.fd() >= 0;
    }));
    ASSERT_TRUE(world.runUntil([&] { return !caller.receive() || !caller.received.empty(); }));
    caller.send(words);
  }

  World world;
  Owner* server = nullptr;
  SocketAddress address;
};

TEST_P(SecretDoorTest, FriendsMeet) {
  open();
  const base::FileDescriptor event(::eventfd(0, EFD_CLOEXEC));
  server->enclosed = {event.get()};
  Owner& client = world.add({}, kSecret);
  Descriptors with;
  with.emplace_back(::eventfd(0, EFD_CLOEXEC));
  client.call(address, 10s, std::move(with));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1 && server->events() == 1; }));
  ASSERT_EQ(client.welcomes.size(), 1u);
  const std::size_t descriptors = GetParam() == Family::Unix ? 1 : 0;
  EXPECT_EQ(server->asked_with.at(0).size(), descriptors);
  EXPECT_EQ(client.welcomed_with.at(0).size(), descriptors);
  EXPECT_EQ(server->door->counters().welcomed, 1u);
  EXPECT_EQ(server->door->counters().refused, 0u);
}

TEST_P(SecretDoorTest, WrongAndMissingOnesAreRefusedAndNobodyIsAsked) {
  open();
  EXPECT_TRUE(isRefused(calls(kOtherSecret)));
  EXPECT_TRUE(isRefused(calls(nullptr)));
  EXPECT_TRUE(server->asked.empty());
  EXPECT_EQ(server->door->counters().refused, 2u);
  EXPECT_EQ(calls(kSecret).welcomes.size(), 1u);
}

TEST_P(SecretDoorTest, DoorWithoutOneRefusesWhoHasOne) {
  server = &world.add();
  address = server->listen(GetParam());
  EXPECT_TRUE(isRefused(calls(kSecret)));
  EXPECT_TRUE(server->asked.empty());
  EXPECT_EQ(calls(nullptr).welcomes.size(), 1u);
}

TEST_P(SecretDoorTest, ManyFriendsAtOnceAllMeet) {
  open();
  Owner& client = world.add({}, kSecret);
  for (int i = 0; i < 200; ++i) client.call(address);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 200; }));
  EXPECT_EQ(client.welcomes.size(), 200u);
}

TEST_P(SecretDoorTest, StrangersDoNotDisturbFriends) {
  open();
  Owner& friends = world.add({}, kSecret);
  std::vector<Owner*> strangers;
  for (int i = 0; i < 100; ++i) {
    strangers.push_back(&world.add({}, i % 2 == 0 ? kOtherSecret : nullptr));
    strangers.back()->call(address);
    friends.call(address);
  }
  ASSERT_TRUE(world.runUntil([&] {
    return friends.events() == 100 &&
           std::all_of(strangers.begin(), strangers.end(),
                       [](const Owner* stranger) { return stranger->events() == 1; });
  }));
  EXPECT_EQ(friends.welcomes.size(), 100u);
  for (const Owner* stranger : strangers) EXPECT_TRUE(isRefused(*stranger));
  EXPECT_TRUE(friends.lost.empty());
  EXPECT_EQ(server->asked.size(), 100u);
}

TEST_P(SecretDoorTest, WhoStallsAfterTheChallengeIsCut) {
  Limits limits;
  limits.handshake_ms = 100;
  open(limits);
  Hello hello = makeHello();
  hello.challenge = {1, 2};
  Raw stranger = Raw::connectTo(address);
  stranger.send(encode(FrameKind::Hello, hello));
  ASSERT_TRUE(world.runUntil([&] { return !stranger.receive(); }));
  EXPECT_EQ(decode(stranger.received, {}).frame.kind, FrameKind::Challenge);
  EXPECT_EQ(server->door->counters().timed_out, 1u);
  EXPECT_TRUE(server->asked.empty());
}

TEST_P(SecretDoorTest, WhoStallsCountsAsHalfOpen) {
  Limits limits;
  limits.half_open = limits.half_open_per_address = 2;
  open(limits);
  Hello hello = makeHello();
  hello.challenge = {1, 2};
  std::vector<Raw> strangers(3);
  for (Raw& stranger : strangers) {
    stranger = Raw::connectTo(address);
    stranger.send(encode(FrameKind::Hello, hello));
    ASSERT_TRUE(world.runUntil([&] {
      stranger.receive();
      return !stranger.received.empty();
    }));
  }
  for (const Raw& stranger : strangers)
    EXPECT_EQ(decode(stranger.received, {}).frame.kind, FrameKind::Challenge);
  // The last has the place of the first.
  ASSERT_TRUE(world.runUntil([&] { return !strangers[0].receive(); }));
  const std::span<const std::byte> said(strangers[0].received);
  const std::size_t challenge = decode(said, {}).consumed;
  EXPECT_EQ(decode(said.subspan(challenge), {}).frame.refused.reason, Refusal::Busy);
}

TEST_P(SecretDoorTest, DescriptorsWithAProofAreMalformed) {
  if (GetParam() == Family::Tcp) return;  // has none
  open();
  Hello hello = makeHello();
  hello.challenge = {1, 2};
  Raw stranger = Raw::connectTo(address);
  stranger.send(encode(FrameKind::Hello, hello));
  ASSERT_TRUE(world.runUntil([&] {
    stranger.receive();
    return !stranger.received.empty();
  }));
  stranger.received.clear();
  stranger.sendWith(encode(Proof{}), {stranger.fd()});
  ASSERT_TRUE(world.runUntil([&] { return !stranger.receive(); }));
  EXPECT_EQ(decode(stranger.received, {}).frame.refused.reason, Refusal::Malformed);
}

TEST_P(SecretDoorTest, CallGoesOnBehindAStrangersDoor) {
  open();
  Owner& neighbour = world.add({}, kOtherSecret);
  const auto first = neighbour.listen(GetParam());
  Owner& client = world.add({}, kSecret);
  client.door->call({first, address}, makeHello(), {}, &client, 10s);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.welcomes.size(), 1u);
  EXPECT_TRUE(neighbour.asked.empty());
}

/// Anybody can say so; it must not keep the caller from the right one.
TEST_P(SecretDoorTest, CallGoesOnBehindWhatAStrangerCanSay) {
  open();
  std::size_t friends = 0;
  for (const Refusal reason : {Refusal::Version, Refusal::Malformed, Refusal::TooLarge}) {
    const Raw listening = Raw::listenOn(freshAddress(GetParam()), 8);
    Owner& client = world.add({}, kSecret);
    client.door->call({listening.address(), address}, makeHello(), {}, &client, 10s);
    answerOnce(listening, encode(Refused{.reason = reason}));
    ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
    friends += client.welcomes.size();
  }
  EXPECT_EQ(friends, 3u);
}

TEST_P(SecretDoorTest, EndOfACallTellsWhatEachAddressSaid) {
  const Raw first = Raw::listenOn(freshAddress(GetParam()), 8);
  const Raw second = Raw::listenOn(freshAddress(GetParam()), 8);
  const Raw third = Raw::listenOn(freshAddress(GetParam()), 8);
  Owner& client = world.add({}, kSecret);
  std::string said;
  client.on_call_over = [&](Call& call) { said = whatWasSaidTo(call); };
  client.door->call({first.address(), second.address(), third.address()}, makeHello(), {}, nullptr,
                    10s);
  answerOnce(first, encode(Refused{.reason = Refusal::Version}));
  answerOnce(second, {});
  answerOnce(third, encode(Refused{.reason = Refusal::Authentication}));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_TRUE(isRefused(client));
  EXPECT_EQ(said, first.address().toString() + ": another version of the protocol, " +
                      second.address().toString() + ": it hung up without an answer, " +
                      third.address().toString() + ": authentication failed");
}

TEST_P(SecretDoorTest, StrangersAreLoggedOnceASecond) {
  open();
  std::vector<std::string> lines;
  setLogSink([&](LogLevel, std::string_view component, std::string_view text) {
    lines.push_back(std::string(component) + ": " + std::string(text));
  });
  for (int i = 0; i < 20; ++i) calls(kOtherSecret);
  setLogSink(nullptr);
  ASSERT_FALSE(lines.empty());
  EXPECT_LT(lines.size(), 20u);
  EXPECT_EQ(lines.front().find("door: authentication failed"), 0u) << lines.front();
}

INSTANTIATE_TEST_SUITE_P(Over, SecretDoorTest, kBothFamilies,
                         [](const auto& info) { return nameOf(info); });

}  // namespace
}  // namespace ucxx::door::test
