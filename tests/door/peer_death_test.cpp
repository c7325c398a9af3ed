// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Real processes that die, stop and fork.
#include <csignal>

#include <gtest/gtest.h>

#include "door/door.h"
#include "door/peer.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

struct PeerDeathTest : testing::TestWithParam<Family> {
  World world;
  Owner& server = world.add();

  SocketAddress listen() {
    return GetParam() == Family::Tcp ? server.door->listen(farLoopback(), 1)
                                     : server.listen(Family::Unix);
  }

  void meet(Peer& peer) {
    ASSERT_TRUE(world.runUntil([&] { return peer.isReady() && server.connections.size() == 1; }));
    server.connections.at(0)->setExpecting(true);
  }
  bool lostWithin(std::chrono::milliseconds time) {
    return world.runUntil([&] { return server.lost.size() == 1; }, time);
  }
};

TEST_P(PeerDeathTest, KilledPeerIsLostAtOnce) {
  Peer peer(Peer::Role::Hold, listen());
  meet(peer);
  peer.signal(SIGKILL);
  ASSERT_TRUE(lostWithin(5s));
  EXPECT_EQ(server.lost.at(0).status, UCS_ERR_CONNECTION_RESET);
}

TEST_P(PeerDeathTest, StoppedPeerIsSlowAndNotLost) {
  Peer peer(Peer::Role::Hold, listen());
  meet(peer);
  peer.signal(SIGSTOP);
  peer.waitUntilStopped();
  world.runFor(2500ms);  // ten beats, and more than twice the user timeout
  EXPECT_TRUE(server.lost.empty());
  peer.signal(SIGCONT);
  world.runFor(300ms);
  EXPECT_TRUE(server.lost.empty());
  peer.signal(SIGKILL);
  EXPECT_TRUE(lostWithin(5s));
}

TEST_P(PeerDeathTest, ForkedChildDoesNotHideTheDeathOfItsParent) {
  Peer peer(Peer::Role::Fork, listen());
  meet(peer);
  peer.signal(SIGKILL);
  ASSERT_TRUE(lostWithin(5s));
  EXPECT_TRUE(peer.childIsAlive());
}

TEST_P(PeerDeathTest, DeathOfOneDoesNotTouchTheOthers) {
  const auto address = listen();
  Peer dies(Peer::Role::Hold, address);
  meet(dies);
  Peer stays(Peer::Role::Hold, address);
  ASSERT_TRUE(world.runUntil([&] { return stays.isReady() && server.connections.size() == 2; }));
  dies.signal(SIGKILL);
  ASSERT_TRUE(lostWithin(5s));
  world.runFor(20ms);
  EXPECT_EQ(server.lost.size(), 1u);
  EXPECT_EQ(server.lost.at(0).connection, server.connections.at(0).get());
}

INSTANTIATE_TEST_SUITE_P(Families, PeerDeathTest, kBothFamilies, nameOf);

}  // namespace
}  // namespace ucxx::door::test
