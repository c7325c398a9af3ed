// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that gives another process away for its own: a copy of this one, so the
// proof stands there at the same place.

#include "core/another_process.h"
#include "core/hostile_sender.h"

namespace ucxx::core::test {
namespace {

class HostileProcessTest : public HostileSenderTest {
 protected:
  void SetUp() override {
    HostileSenderTest::SetUp();
    if (IsSkipped()) return;
    peer_->say(MessageKind::Fetch, 1);
    expectEnds(UCS_ERR_INVALID_PARAM);
    meetPeer([this] { return another_.fork(); });
  }

 private:
  AnotherProcess another_;
};

TEST_F(HostileProcessTest, NothingIsCopiedFromIt) {
  const Room& room = receive();
  announce(address());
  ASSERT_TRUE(until([&] { return hasEnded() || heard(MessageKind::Fetch) == 1; }));
  ASSERT_FALSE(hasEnded());
  sendPieces(1);
  expectReceived(room);
  expectStays();
}

TEST_F(HostileProcessTest, NothingIsCopiedIntoIt) {
  const std::uint64_t number = send();
  local::ChunkMemory& words = peer_->ownEnd().chunks[0];
  words.claims = claimsOf(1, 0, 5);
  peer_->help(number, {address(), 64 << 10, 0, 1});
  EXPECT_TRUE(until([&] { return words.done == doneOf(1, 0, true); }));  // help is refused
  EXPECT_EQ(copyHooks().writes, 0);
  peer_->say(MessageKind::Taken, number);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  expectStays();
}

}  // namespace
}  // namespace ucxx::core::test
