// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that recalls, and lets be recalled, in its own way.

#include "core/hostile_sender.h"
#include "local/claims.h"

namespace ucxx::core::test {
namespace {

class HostileRecallTest : public HostileSenderTest {
 protected:
  void cancel() { posted_.back().request->cancel(); }
  local::Claim claimOfSend() {
    return static_cast<local::Claim>(last(MessageKind::Tag).header.link);
  }
  void say(MessageKind kind, std::uint64_t number) {
    const HelpTerms terms{reinterpret_cast<std::uintptr_t>(target_.data()), 64 << 10, 15, 9};
    kind == MessageKind::Help ? peer_->help(number, terms) : peer_->say(kind, number);
  }
  /// Announces a tag message with this claim; its sequence.
  std::uint32_t announceClaimed(std::uint64_t claim) {
    WireHeader header = peer_->next(MessageKind::Tag);
    header.argument = kTag;
    header.link = claim;
    peer_->announce(header, kSize, address());
    return header.sequence;
  }

  Room target_{kSize};  // the peer's
};

/// What the peer says of an announcement that was recalled.
struct Words {
  const char* name;
  std::vector<MessageKind> kinds;
  bool ends_link;
};

class HostileRecalledTest : public HostileRecallTest, public testing::WithParamInterface<Words> {};

TEST_P(HostileRecalledTest, IsNotToBeHad) {
  const std::uint64_t number = send();
  cancel();
  EXPECT_EQ(request().getStatus(), UCS_ERR_CANCELED);
  settle();
  EXPECT_EQ(heard(MessageKind::Recall), 1u);
  for (const MessageKind kind : GetParam().kinds) say(kind, number);
  GetParam().ends_link ? expectEnds(UCS_ERR_INVALID_PARAM) : expectStays();
  EXPECT_TRUE(target_.isUntouched());
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileRecalledTest,
    testing::Values(Words{"Fetched", {MessageKind::Fetch}, true},
                    Words{"Helped", {MessageKind::Help}, true},
                    Words{"Taken", {MessageKind::Taken}, true},
                    Words{"Dropped", {MessageKind::Drop}, false},
                    Words{"DroppedTwice", {MessageKind::Drop, MessageKind::Drop}, true},
                    Words{"Unanswered", {}, false}),
    [](const auto& info) { return info.param.name; });

TEST_F(HostileRecallTest, WhoClaimsItAndTakesNothingIsWaitedFor) {
  const std::uint64_t number = send();
  EXPECT_TRUE(local::take(peer_->workersEnd().claims, claimOfSend()));
  cancel();
  settle();
  EXPECT_FALSE(hasEnded());
  say(MessageKind::Drop, number);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  expectStays();
}

TEST_F(HostileRecallTest, WhoFetchesWithoutAClaimGetsItWhole) {
  const std::uint64_t number = send();
  say(MessageKind::Fetch, number);
  settle();
  cancel();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_OK);
  expectStays();
}

/// Through a ring what is taken back has a claim, and nobody asks for it in vain.
TEST_F(HostileRecallTest, NothingThatWasAskedForIsGone) {
  announceClaimed(0);
  receive();
  settle();
  peer_->say(MessageKind::Gone, 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRecallTest, ClaimsThatAreNotThereEndTheLink) {
  for (const std::uint64_t claim : {std::uint64_t{local::ClaimMemory::kClaims} + 1, UINT64_MAX}) {
    announceClaimed(claim);
    expectEnds(UCS_ERR_INVALID_PARAM);
    meetPeer();
  }
}

TEST_F(HostileRecallTest, ReceivesGoOnWaiting) {
  const Room& room = receive();
  std::memset(static_cast<void*>(peer_->ownEnd().claims.words), 0xff,
              sizeof peer_->ownEnd().claims.words);
  announceClaimed(1);
  settle();
  EXPECT_FALSE(hasEnded());
  EXPECT_EQ(heard(MessageKind::Drop), 1u);
  announceClaimed(0);
  expectReceived(room);
  expectStays();
}

TEST_F(HostileRecallTest, OneClaimMayStandForMany) {
  for (int i = 0; i < 3; ++i) announceClaimed(7);
  for (int i = 0; i < 3; ++i) expectReceived(receive());
  expectStays();
}

/// Of messages that nobody has, has any more, or has not yet.
TEST_F(HostileRecallTest, RecallsOfOthersMeanNothing) {
  for (const std::uint64_t sequence : {std::uint64_t{0}, std::uint64_t{1'000'000}, UINT64_MAX})
    peer_->say(MessageKind::Recall, sequence);
  const std::uint32_t kept = announceClaimed(0);
  for (int i = 0; i < 3; ++i) peer_->say(MessageKind::Recall, kept);
  settle();
  EXPECT_EQ(heard(MessageKind::Drop), 1u);
  const Room& room = receive();
  const std::uint32_t taken = announceClaimed(2);
  peer_->say(MessageKind::Recall, taken);
  expectReceived(room);
  expectStays();
}

TEST_F(HostileRecallTest, RecallsWithAPayloadEndTheLink) {
  WireHeader header = peer_->next(MessageKind::Recall);
  header.length = 8;
  peer_->send(header, std::as_bytes(std::span(&header.length, 1)));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

}  // namespace
}  // namespace ucxx::core::test
