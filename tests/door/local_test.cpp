// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Meetings over Unix sockets: descriptors go both ways, and everything else is as over TCP.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ucxx/exception.h>

#include "door/door.h"
#include "door/peer.h"
#include "door/world.h"

namespace {

int tcp_options_set = 0;

}  // namespace

// Instead of the C library's, to see what the door asks for.
extern "C" int setsockopt(int socket, int level, int name, const void* value,
                          socklen_t length) noexcept {
  if (level == IPPROTO_TCP) ++tcp_options_set;
  return static_cast<int>(::syscall(SYS_setsockopt, socket, level, name, value, length));
}

namespace ucxx::door::test {
namespace {

base::FileDescriptor makeEvent() {
  return base::FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

void ring(const base::FileDescriptor& event) { EXPECT_EQ(::eventfd_write(event.get(), 1), 0); }

std::uint64_t ringsOf(const base::FileDescriptor& event) {
  eventfd_t rings = 0;
  return ::eventfd_read(event.get(), &rings) == 0 ? rings : 0;
}

base::FileDescriptor copyOf(const base::FileDescriptor& descriptor) {
  return base::FileDescriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0));
}

Descriptors copiesOf(const base::FileDescriptor& descriptor, std::size_t count) {
  Descriptors copies;
  for (std::size_t i = 0; i < count; ++i) copies.push_back(copyOf(descriptor));
  return copies;
}

void allowAllDescriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

struct LocalTest : testing::Test {
  World world;
  Owner& server = world.add();
  Owner& client = world.add();
  const base::FileDescriptor event = makeEvent();

  bool meet(std::size_t times = 1) {
    return world.runUntil(
        [&] { return client.events() == times && server.accepted.size() == times; });
  }
};

TEST_F(LocalTest, DescriptorsGoBothWays) {
  const base::FileDescriptor answer = makeEvent();
  server.enclosed = {answer.get()};
  client.call(server.listen(Family::Unix), 10s, copiesOf(event, 1));
  ASSERT_TRUE(meet());
  ASSERT_EQ(server.asked_with.at(0).size(), 1u);
  ASSERT_EQ(client.welcomed_with.at(0).size(), 1u);
  const auto& asked_with = server.asked_with.at(0).at(0);
  const auto& welcomed_with = client.welcomed_with.at(0).at(0);
  ring(asked_with);
  EXPECT_EQ(ringsOf(event), 1u);
  ring(welcomed_with);
  EXPECT_EQ(ringsOf(answer), 1u);
  EXPECT_NE(::fcntl(asked_with.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(::fcntl(welcomed_with.get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(LocalTest, DescriptorsGoBetweenProcesses) {
  server.enclosed = {event.get()};
  Peer peer(Peer::Role::Share, server.listen(Family::Unix));
  ASSERT_TRUE(world.runUntil([&] { return peer.isReady() && server.accepted.size() == 1; }));
  EXPECT_EQ(ringsOf(event), 1u);
  ASSERT_EQ(server.asked_with.at(0).size(), 2u);
  char text[64] = "";
  ASSERT_EQ(::pread(server.asked_with.at(0).at(0).get(), text, sizeof text, 0),
            std::ssize(kShared));
  EXPECT_EQ(text, kShared);
  EXPECT_EQ(ringsOf(server.asked_with.at(0).at(1)), 1u);
  EXPECT_EQ(server.connections.at(0)->peerProcess(), peer.process());
}

TEST_F(LocalTest, AsManyAsAllowedGoBothWays) {
  server.enclosed.assign(kMaxDescriptors, event.get());
  client.call(server.listen(Family::Unix), 10s, copiesOf(event, kMaxDescriptors));
  ASSERT_TRUE(meet());
  EXPECT_EQ(server.asked_with.at(0).size(), kMaxDescriptors);
  EXPECT_EQ(client.welcomed_with.at(0).size(), kMaxDescriptors);
}

TEST_F(LocalTest, TooManyToSendEndTheCall) {
  client.call(server.listen(Family::Unix), 10s, copiesOf(event, kMaxDescriptors + 1));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.ended.size(), 1u);
  EXPECT_TRUE(server.asked.empty());
}

TEST_F(LocalTest, OverTcpTheyStayAtHome) {
  server.enclosed = {event.get()};
  client.call(server.listen(), 10s, copiesOf(event, 1));
  ASSERT_TRUE(meet());
  EXPECT_TRUE(server.asked_with.at(0).empty());
  EXPECT_TRUE(client.welcomed_with.at(0).empty());
  EXPECT_EQ(client.connections.at(0)->peerProcess(), 0);
}

TEST_F(LocalTest, BusyDoorGetsThemEachTime) {
  server.decide = [&](std::uint64_t, const Hello&) -> Owner::Answer {
    if (server.asked.size() < 4) return Refused{.reason = Refusal::Busy};
    return server.answer;
  };
  client.call(server.listen(Family::Unix), 10s, copiesOf(event, 1));
  ASSERT_TRUE(meet());
  ASSERT_EQ(server.asked_with.size(), 4u);
  for (const Descriptors& with : server.asked_with) ring(with.at(0));
  EXPECT_EQ(ringsOf(event), 4u);
}

TEST_F(LocalTest, AddressesOfBothFamiliesMayMix) {
  const auto nobody = freshAddress(Family::Unix);
  const auto nobody_tcp = Raw::listenOn(loopback4(), 1).address();
  const auto near = server.listen(Family::Unix);
  const auto far = server.listen();
  client.door->call({nobody, far}, makeHello(), {}, nullptr, 10s);
  ASSERT_TRUE(meet());
  EXPECT_EQ(client.connections.at(0)->peerAddress(), far);
  client.door->call({nobody_tcp, near}, makeHello(), {}, nullptr, 10s);
  ASSERT_TRUE(world.runUntil([&] { return client.welcomes.size() == 2; }));
  EXPECT_EQ(client.connections.at(1)->peerAddress(), near);
}

TEST_F(LocalTest, NameIsTakenUntilItsListenerStops) {
  const auto name = base::randomId128();
  const auto address = server.door->listenLocally(name, 1);
  EXPECT_EQ(address, unixAddress(name));
  EXPECT_THROW(client.door->listenLocally(name, 2), BusyError);
  server.door->stopListening(1);
  EXPECT_EQ(client.door->listenLocally(name, 2), address);
}

TEST_F(LocalTest, FullQueueIsABusyDoor) {
  const Raw full = Raw::listenOn(freshAddress(Family::Unix), 0);
  const Raw fills_the_queue = Raw::connectTo(full.address());
  client.call(full.address(), 100ms);
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.ended.at(0).status, UCS_ERR_REJECTED);
  EXPECT_EQ(client.ended.at(0).refused->reason, Refusal::Busy);
}

TEST_F(LocalTest, CallWaitsForRoomInTheQueue) {
  const Raw full = Raw::listenOn(freshAddress(Family::Unix), 0);
  const Raw fills_the_queue = Raw::connectTo(full.address());
  client.call(full.address());
  world.runFor(20ms);
  EXPECT_EQ(client.events(), 0u);
  const Raw first = full.accept();
  Raw second;
  ASSERT_TRUE(world.runUntil([&] {
    second = full.accept();
    return second.fd() >= 0;
  }));
  second.send(encode(FrameKind::Welcome, makeHello(9)));
  ASSERT_TRUE(world.runUntil([&] { return client.events() == 1; }));
  EXPECT_EQ(client.welcomes.size(), 1u);
}

TEST_F(LocalTest, ThousandCallersMeetThroughAShortQueue) {
  constexpr std::size_t kCallers = 1000;
  allowAllDescriptors();
  const auto before = countOpenDescriptors();
  const auto address = server.door->listenLocally(base::randomId128(), 1, 16);
  server.enclosed = {event.get()};
  std::size_t received = 0;
  for (Owner* owner : {&server, &client}) {
    owner->on_connection = [&received, owner](Connection&) {
      for (auto* with : {&owner->asked_with, &owner->welcomed_with}) {
        for (const Descriptors& each : *with) received += each.size();
        with->clear();
      }
    };
  }
  for (std::size_t i = 0; i < kCallers; ++i) client.call(address, 20s, copiesOf(event, 1));
  ASSERT_TRUE(meet(kCallers));
  EXPECT_EQ(client.welcomes.size(), kCallers);
  for (Owner* owner : {&server, &client}) {
    owner->connections.clear();
  }
  EXPECT_EQ(received, 2 * kCallers);
  server.door.reset();
  EXPECT_EQ(countOpenDescriptors(), before);
}

TEST_F(LocalTest, MeetingsWithDescriptorsLeaveNoneBehind) {
  server.enclosed = {event.get(), event.get()};
  const auto address = server.listen(Family::Unix);
  const auto before = countOpenDescriptors();
  for (std::size_t i = 1; i <= 300; ++i) {
    client.call(address, 10s, copiesOf(event, 3));
    ASSERT_TRUE(meet(i));
    for (Owner* owner : {&server, &client}) {
      owner->connections.clear();
      owner->asked_with.clear();
      owner->welcomed_with.clear();
    }
  }
  EXPECT_EQ(countOpenDescriptors(), before);
}

TEST_F(LocalTest, HungUpCallClosesItsDescriptors) {
  const auto before = countOpenDescriptors();
  client.door->hangUp(client.call(freshAddress(Family::Unix), 10s, copiesOf(event, 3)));
  EXPECT_EQ(countOpenDescriptors(), before);
}

TEST_F(LocalTest, NoOptionOfTcpIsSet) {
  tcp_options_set = 0;
  client.call(server.listen());
  ASSERT_TRUE(meet());
  EXPECT_GT(tcp_options_set, 0);
  tcp_options_set = 0;
  client.call(server.listen(Family::Unix));
  ASSERT_TRUE(meet(2));
  client.connections.at(1)->setExpecting(true);
  EXPECT_EQ(client.door->nextDeadline(), base::TimePoint::max());
  client.connections.pop_back();
  ASSERT_TRUE(world.runUntil([&] { return server.lost.size() == 1; }));
  EXPECT_EQ(tcp_options_set, 0);
}

}  // namespace
}  // namespace ucxx::door::test
