// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Unix sockets whose other end sends what it must not, is another user, or dies.
#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ucxx/log.h>

#include "door/child.h"
#include "door/door.h"
#include "door/drought.h"
#include "door/peer.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes welcomeBytes() { return encode(FrameKind::Welcome, makeHello(9)); }

/// Blocks until the other end hangs up. What it said.
Bytes readAll(const Raw& raw) {
  Bytes all(4096);
  std::size_t length = 0;
  for (;;) {
    const ssize_t got = ::recv(raw.fd(), all.data() + length, all.size() - length, 0);
    if (got > 0) length += static_cast<std::size_t>(got);
    if (got == 0 || (got < 0 && errno != EAGAIN)) break;
  }
  all.resize(length);
  return all;
}

/// A server at a Unix socket, a client, and descriptors that must not be left anywhere.
struct LocalStrangerTest : testing::Test {
  World world;
  Owner& server = world.add();
  Owner& client = world.add();
  const SocketAddress address = server.listen(Family::Unix);
  const base::FileDescriptor event{::eventfd(0, EFD_CLOEXEC)};
  const std::ptrdiff_t open_before = countOpenDescriptors();

  std::vector<int> events(std::size_t count) const { return std::vector<int>(count, event.get()); }

  bool isIdle() {
    return world.runUntil([&] { return server.door->nextDeadline() == base::TimePoint::max(); });
  }
  Refusal refusalOf(Raw& stranger) {
    EXPECT_TRUE(world.runUntil([&] { return !stranger.receive(); }));
    return decode(stranger.received, {}).frame.refused.reason;
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
  std::optional<int> resultOf(Child& child) {
    EXPECT_TRUE(world.runUntil([&] { return child.result().has_value(); }));
    return child.result();
  }
  void expectNothingLeft() {
    EXPECT_TRUE(server.asked.empty());
    EXPECT_EQ(countOpenDescriptors(), open_before);
  }
};

TEST_F(LocalStrangerTest, TooManyDescriptorsAreMalformed) {
  for (const std::size_t count : {kMaxDescriptors + 1, std::size_t{253}}) {
    Raw stranger = Raw::connectTo(address);
    ASSERT_TRUE(stranger.sendWith(helloBytes(), events(count)));
    EXPECT_EQ(refusalOf(stranger), Refusal::Malformed);
  }
  EXPECT_EQ(server.door->counters().garbage, 2u);
  expectNothingLeft();
}

TEST_F(LocalStrangerTest, DescriptorsWithALaterByteAreMalformed) {
  const Bytes bytes = helloBytes();
  for (const std::size_t at : {std::size_t{1}, std::size_t{23}, bytes.size() - 1}) {
    Raw stranger = Raw::connectTo(address);  // both parts are there before the door looks
    ASSERT_TRUE(stranger.send(std::span(bytes).first(at)));
    ASSERT_TRUE(stranger.sendWith(std::span(bytes).subspan(at), events(1)));
    EXPECT_EQ(refusalOf(stranger), Refusal::Malformed) << at;
  }
  expectNothingLeft();
}

TEST_F(LocalStrangerTest, DescriptorsWithTheFirstAndALaterByteAreMalformed) {
  const Bytes bytes = helloBytes();
  Raw stranger = Raw::connectTo(address);
  ASSERT_TRUE(stranger.sendWith(std::span(bytes).first(100), events(2)));
  ASSERT_TRUE(stranger.sendWith(std::span(bytes).subspan(100), events(1)));
  EXPECT_EQ(refusalOf(stranger), Refusal::Malformed);
  stranger.close();
  expectNothingLeft();
}

TEST_F(LocalStrangerTest, DescriptorsBehindTheHelloEndTheConnection) {
  Raw stranger = Raw::connectTo(address);
  stranger.send(helloBytes());
  stranger.sendWith(Bytes{std::byte{0xb1}}, events(1));
  ASSERT_TRUE(world.runUntil([&] { return server.lost.size() == 1; }));
  EXPECT_EQ(server.lost.at(0).status, UCS_ERR_CONNECTION_RESET);
  server.connections.clear();
  EXPECT_EQ(countOpenDescriptors(), open_before + 1);  // the stranger's
}

TEST_F(LocalStrangerTest, HelloOfOneByteAtATimeKeepsItsDescriptors) {
  Raw slow = Raw::connectTo(address);
  const Bytes bytes = helloBytes();
  ASSERT_TRUE(slow.sendWith(std::span(bytes).first(1), events(2)));
  for (const std::byte byte : std::span(bytes).subspan(1)) {
    ASSERT_TRUE(slow.send(std::span(&byte, 1)));
    world.turn(0ms);
  }
  ASSERT_TRUE(world.runUntil([&] { return server.accepted.size() == 1; }));
  EXPECT_EQ(server.asked_with.at(0).size(), 2u);
}

TEST_F(LocalStrangerTest, BadWelcomesEndTheCall) {
  const Raw listening = Raw::listenOn(freshAddress(Family::Unix), 8);
  const Bytes bytes = welcomeBytes();
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}, bytes.size() - 1}) {
    client.call(listening.address());
    const Raw door = acceptFrom(listening);
    if (at > 0) door.send(std::span(bytes).first(at));
    door.sendWith(std::span(bytes).subspan(at), events(at == 0 ? kMaxDescriptors + 1 : 1));
    const std::size_t before = client.ended.size();
    ASSERT_TRUE(world.runUntil([&] { return client.ended.size() == before + 1; }));
    EXPECT_EQ(client.ended.back().status, UCS_ERR_INVALID_ADDR) << at;
  }
  EXPECT_EQ(countOpenDescriptors(), open_before + 1);  // `listening`
}

TEST_F(LocalStrangerTest, NoRoomForAllDescriptorsOfAHelloIsSaid) {
  Raw stranger = Raw::connectTo(address);
  ASSERT_TRUE(world.runUntil([&] { return server.door->counters().accepted == 1; }));
  {
    const Drought drought;
    ASSERT_TRUE(stranger.sendWith(helloBytes(), events(2)));
    EXPECT_EQ(refusalOf(stranger), Refusal::NoDescriptors);
  }
  stranger.close();
  expectNothingLeft();
}

TEST_F(LocalStrangerTest, NoRoomForAllDescriptorsOfAWelcomeEndsTheCall) {
  const Raw listening = Raw::listenOn(freshAddress(Family::Unix), 8);
  client.call(listening.address());
  {
    const Raw door = acceptFrom(listening);
    const Drought drought;
    ASSERT_TRUE(door.sendWith(welcomeBytes(), events(2)));
    ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  }
  ASSERT_EQ(client.ended.size(), 1u);
  EXPECT_EQ(client.ended.front().status, UCS_ERR_NO_RESOURCE);
  EXPECT_EQ(countOpenDescriptors(), open_before + 1);  // `listening`
}

TEST_F(LocalStrangerTest, CallersOfOneHostMayTakeAllPlaces) {
  std::vector<Raw> silent(30);  // over TCP, 8 of one address
  for (Raw& stranger : silent) stranger = Raw::connectTo(address);
  client.call(address);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.welcomes.size(), 1u);
  EXPECT_EQ(server.door->counters().accepted, silent.size() + 1);
  EXPECT_EQ(server.door->counters().refused, 0u);
}

TEST_F(LocalStrangerTest, AnotherUserIsSentAway) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  Child child([&](const Child&) {
    if (::setuid(kNobody) != 0) return 101;
    const Raw stranger = Raw::connectTo(address);
    stranger.sendWith(helloBytes(), events(1));
    return static_cast<int>(decode(readAll(stranger), {}).frame.refused.reason);
  });
  std::string log;
  setLogSink([&](LogLevel, std::string_view, std::string_view text) { log += text; });
  EXPECT_EQ(resultOf(child), static_cast<int>(Refusal::OtherUser));
  setLogSink(nullptr);
  EXPECT_NE(log.find("another user: process "), log.npos) << log;
  EXPECT_NE(log.find(" of user " + std::to_string(kNobody)), log.npos) << log;
  EXPECT_EQ(server.door->counters().refused, 1u);
  EXPECT_TRUE(server.asked.empty());
}

TEST_F(LocalStrangerTest, AnotherUsersDoorHearsNothingAndIsPassedOver) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const auto squatted = freshAddress(Family::Unix);
  Child child([&](const Child& self) {
    if (::setuid(kNobody) != 0) return 101;
    const Raw listening = Raw::listenOn(squatted, 8);
    self.say();
    for (int calls = 0; calls < 2;) {
      const Raw caller = listening.accept();
      if (caller.fd() < 0) continue;
      if (!readAll(caller).empty()) return 102;
      ++calls;
    }
    return 0;
  });
  ASSERT_TRUE(world.runUntil([&] { return child.hasSpoken(); }));
  client.call(squatted);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_INVALID_ADDR);
  client.door->call({squatted, address}, makeHello(), {}, nullptr, 10s);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 2; }));
  EXPECT_EQ(client.welcomes.size(), 1u);
  EXPECT_EQ(resultOf(child), 0);
}

TEST_F(LocalStrangerTest, CallerKilledBeforeItsHelloIsForgotten) {
  const Bytes bytes = helloBytes();
  for (const std::size_t bytes_sent : {0, 1, 100}) {
    const std::uint64_t accepted = server.door->counters().accepted;
    Child child([&](const Child& self) {
      const Raw caller = Raw::connectTo(address);
      if (bytes_sent > 0) {
        caller.sendWith(std::span(bytes).first(bytes_sent), events(3));
      }
      self.say();
      return ::pause();
    });
    ASSERT_TRUE(world.runUntil(
        [&] { return server.door->counters().accepted == accepted + 1 && child.hasSpoken(); }));
    child.kill();
    ASSERT_TRUE(isIdle());
  }
  EXPECT_EQ(server.door->counters().timed_out, 0u);
  expectNothingLeft();
}

TEST_F(LocalStrangerTest, CalleeKilledBeforeItsWelcomeIsAReset) {
  const auto elsewhere = freshAddress(Family::Unix);
  Child child([&](const Child& self) {
    const Raw listening = Raw::listenOn(elsewhere, 8);
    self.say();
    Raw caller;
    while (caller.fd() < 0) caller = listening.accept();
    char byte = 0;
    while (::recv(caller.fd(), &byte, 1, 0) != 1) {
    }
    self.say();
    return ::pause();
  });
  ASSERT_TRUE(world.runUntil([&] { return child.hasSpoken(); }));
  const std::ptrdiff_t open_meanwhile = countOpenDescriptors();
  Descriptors descriptors;
  descriptors.emplace_back(::eventfd(0, EFD_CLOEXEC));
  client.call(elsewhere, 10s, std::move(descriptors));
  ASSERT_TRUE(world.runUntil([&] { return child.hasSpoken(); }));
  child.kill();
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_CONNECTION_RESET);
  EXPECT_EQ(countOpenDescriptors(), open_meanwhile);
}

TEST_F(LocalStrangerTest, DescriptorsWaitUntilTheirUserMaySendMore) {
  Peer peer(Peer::Role::Crowded, address);
  EXPECT_TRUE(world.runUntil([&] { return peer.isReady(); }));
}

}  // namespace
}  // namespace ucxx::door::test
