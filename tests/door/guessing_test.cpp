// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Doors at which somebody guesses the secret.
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "door/door.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

const sockaddr* generic(const SocketAddress& address) {
  return reinterpret_cast<const sockaddr*>(&address.storage);
}

/// From 127.0.0.2, while those of the library come from 127.0.0.1.
Raw connectFromElsewhere(const SocketAddress& to) {
  const SocketAddress elsewhere = farLoopback();
  Raw raw(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(::bind(raw.fd(), generic(elsewhere), elsewhere.length), 0);
  EXPECT_EQ(::connect(raw.fd(), generic(to), to.length), 0);
  EXPECT_EQ(::fcntl(raw.fd(), F_SETFL, O_NONBLOCK), 0);
  return raw;
}

std::vector<std::byte> guessingHello() {
  Hello hello = makeHello();
  hello.challenge = {1, 2};
  return encode(FrameKind::Hello, hello);
}

struct GuessingTest : testing::Test {
  void open(const Limits& limits = {}) {
    server = &world.add(limits, kSecret);
    address = server->listen();
  }
  Raw callFromElsewhere() {
    Raw stranger = connectFromElsewhere(address);
    EXPECT_TRUE(stranger.send(guessingHello()));
    return stranger;
  }
  void hear(Raw& stranger) {
    EXPECT_TRUE(world.runUntil([&] {
      stranger.receive();
      return !stranger.received.empty();
    }));
  }
  /// So often that the next from there is held.
  void guessFromElsewhere() {
    for (int i = 0; i < 6; ++i) {
      Raw stranger = callFromElsewhere();
      hear(stranger);
      EXPECT_TRUE(stranger.send(encode(Proof{})));
      EXPECT_TRUE(world.runUntil([&] { return !stranger.receive(); }));
    }
  }

  World world;
  Owner* server = nullptr;
  SocketAddress address;
};

TEST_F(GuessingTest, TakesItsTime) {
  open();
  Owner& stranger = world.add({}, kOtherSecret);
  const auto begin = base::Clock::now();
  for (std::size_t guesses = 1; guesses <= 30; ++guesses) {
    stranger.call(address);
    ASSERT_TRUE(world.runUntil([&] { return stranger.events() == guesses; }));
    EXPECT_EQ(stranger.ended.back().refused, Refused{.reason = Refusal::Authentication});
  }
  EXPECT_GE(base::Clock::now() - begin, 1s);
}

TEST_F(GuessingTest, OtherAddressesDoNotWait) {
  open();
  Owner& client = world.add({}, kSecret);
  bool was_first = false;
  const auto end = base::Clock::now() + kSoon;
  // Again, should a second be over between the guesses or a moment before the friend has met.
  for (std::size_t friends = 1; !was_first && base::Clock::now() < end; ++friends) {
    guessFromElsewhere();
    Raw stranger = callFromElsewhere();
    client.call(address);
    ASSERT_TRUE(world.runUntil([&] { return client.events() == friends; }));
    EXPECT_EQ(client.welcomes.size(), friends);
    EXPECT_TRUE(stranger.receive());
    was_first = stranger.received.empty();
    hear(stranger);
    EXPECT_EQ(decode(stranger.received, {}).frame.kind, FrameKind::Challenge);
  }
  EXPECT_TRUE(was_first);
}

TEST_F(GuessingTest, FriendOfTheSameAddressMeetsAllTheSame) {
  open();
  Owner& stranger = world.add({}, kOtherSecret);
  stranger.on_call_over = [&](Call&) { stranger.call(address); };
  for (int i = 0; i < 20; ++i) stranger.call(address);
  ASSERT_TRUE(world.runUntil([&] { return stranger.events() >= 20; }));
  Owner& client = world.add({}, kSecret);
  for (std::size_t i = 1; i <= 3; ++i) {
    client.call(address);
    ASSERT_TRUE(world.runUntil([&] { return client.events() == i; }));
    EXPECT_EQ(client.welcomes.size(), i);
  }
  stranger.on_call_over = nullptr;
}

TEST_F(GuessingTest, WhoIsHeldMakesRoomForOtherAddresses) {
  Limits limits;
  limits.half_open = limits.half_open_per_address = 4;
  open(limits);
  guessFromElsewhere();
  std::vector<Raw> strangers;
  for (int i = 0; i < 4; ++i) strangers.push_back(callFromElsewhere());
  Raw caller = Raw::connectTo(address);
  ASSERT_TRUE(caller.send(guessingHello()));
  hear(caller);
  EXPECT_EQ(decode(caller.received, {}).frame.kind, FrameKind::Challenge);
  ASSERT_TRUE(world.runUntil([&] { return !strangers[0].receive(); }));
  EXPECT_TRUE(caller.receive());
}

TEST_F(GuessingTest, ChanceDecidesWhoWaits) {
  Limits limits;
  limits.half_open_per_address = 2;
  open(limits);
  guessFromElsewhere();
  std::vector<Raw> strangers;
  for (int i = 0; i < 20; ++i) strangers.push_back(callFromElsewhere());
  std::vector<int> challenged;
  for (int i = 0; i < 20; ++i) {
    hear(strangers[i]);
    const Frame frame = decode(strangers[i].received, {}).frame;
    if (frame.kind == FrameKind::Challenge) challenged.push_back(i);
    EXPECT_TRUE(frame.kind == FrameKind::Challenge || frame.refused.reason == Refusal::Busy);
  }
  EXPECT_GE(challenged.size(), 2u);
  EXPECT_NE(challenged, (std::vector{0, 1}));  // by chance once in 3^18 runs
}

TEST_F(GuessingTest, WhoIsHeldAndLeavesIsForgotten) {
  open();
  guessFromElsewhere();
  for (int i = 0; i < 3; ++i) callFromElsewhere();  // and hangs up
  ASSERT_TRUE(world.runUntil([&] {
    return server->door->counters().accepted == 9 &&
           server->door->nextDeadline() == base::TimePoint::max();
  }));
  EXPECT_EQ(server->door->counters().timed_out, 0u);
  EXPECT_TRUE(server->asked.empty());
}

}  // namespace
}  // namespace ucxx::door::test
