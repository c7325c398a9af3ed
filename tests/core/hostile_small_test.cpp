// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that sends small messages in its own way to receives that wait for them.

#include <cstring>

#include "core/hostile_sender.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kSmall = 8;
constexpr std::uint64_t kOtherId = std::uint64_t{1} << 40;  // no endpoint has such an id

class HostileSmallTest : public HostileSenderTest {
 protected:
  HostileSmallTest() {
    options_.unexpected_bytes = 64 << 10;
  }  // a quarter of it goes back each time
  std::span<const std::byte> small() const { return std::span(payload_).first(kSmall); }
  WireHeader whole(MessageKind kind) {
    WireHeader header = next(kind);
    header.length = kSmall;
    return header;
  }
  Room& receiveStream(std::size_t size) {
    return post(size, [&](Room& room) { return ends_[0]->streamRecv(room.data(), size, false); });
  }
  void receiveAm() {
    post(0, [&](Room&) { return ends_[0]->amRecv(); });
  }
  /// That of a message of which its sender tells nothing, but for one byte of what follows it.
  std::vector<std::byte> amHeader(std::size_t at, std::byte value) {
    auto bytes = writeAmHeader(whole(MessageKind::Am), {});
    bytes.at(sizeof(WireHeader) + at) = value;
    return bytes;
  }
};

TEST_F(HostileSmallTest, HonestOnesAreTakenAtOnce) {
  const auto kept = worker_->stats().unexpected_messages;

  Room& room = receiveStream(kSmall);
  peer_->send(whole(MessageKind::Stream), small());
  ASSERT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_TRUE(std::ranges::equal(room.content(), small()));
  receiveAm();
  peer_->sendBytes(writeAmHeader(whole(MessageKind::Am), {}), small());
  ASSERT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getReceivedLength(), kSmall);
  EXPECT_EQ(worker_->stats().unexpected_messages, kept);
  expectStays();
}

TEST_F(HostileSmallTest, StreamOfAnotherLengthEndsTheLink) {
  const Room& room = receiveStream(kSmall);
  WireHeader header = whole(MessageKind::Stream);
  header.length = kSmall + 1;
  peer_->send(header, small());
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(room.isUntouched());
}

TEST_F(HostileSmallTest, StreamOfNothingFillsNothing) {
  const Room& room = receiveStream(kSmall);
  WireHeader header = next(MessageKind::Stream);
  peer_->send(header);
  settle();
  EXPECT_TRUE(room.isUntouched());
  EXPECT_FALSE(hasEnded());
}

/// It fills the receive, and what is over waits for the next one.
TEST_F(HostileSmallTest, StreamIsNotWrittenPastItsReceive) {
  Room& room = receiveStream(kSmall - 3);
  peer_->send(whole(MessageKind::Stream), small());
  ASSERT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_TRUE(std::ranges::equal(room.content(), small().first(kSmall - 3)));
  Room& rest = receiveStream(3);
  ASSERT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_TRUE(std::ranges::equal(rest.content(), small().last(3)));
}

TEST_F(HostileSmallTest, MessagesForNoEndpointAreRefused) {
  const Room& room = receiveStream(kSmall);
  WireHeader header = whole(MessageKind::Stream);
  header.endpoint ^= kOtherId;
  peer_->send(header, small());
  receiveAm();
  WireHeader message = whole(MessageKind::Am);
  message.endpoint ^= kOtherId;
  peer_->sendBytes(writeAmHeader(message, {}), small());
  expectStays();
  EXPECT_TRUE(room.isUntouched());
  EXPECT_FALSE(hasEnded());
}

TEST_F(HostileSmallTest, PrologueOfAnotherMemoryEndsTheLink) {
  receiveAm();
  peer_->sendBytes(amHeader(0, std::byte{200}), small());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileSmallTest, PrologueOfAnotherPolicyEndsTheLink) {
  receiveAm();
  peer_->sendBytes(amHeader(1, std::byte{2}), small());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileSmallTest, PrologueThatClaimsMoreThanThereIsEndsTheLink) {
  receiveAm();
  peer_->sendBytes(amHeader(4, std::byte{1}), small());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileSmallTest, HalfAPrologueEndsTheLink) {
  receiveAm();
  auto bytes = writeAmHeader(whole(MessageKind::Am), {});
  bytes.resize(bytes.size() - 1);
  peer_->sendBytes(bytes, small());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// A tag message has no prologue; its receive is as it was.
TEST_F(HostileSmallTest, TagMessageWithAPrologueEndsTheLink) {
  const Room& room = receive(kSmall);
  WireHeader header = whole(MessageKind::Tag);
  header.argument = kTag;
  auto bytes = writeAmHeader(header, {});
  peer_->sendBytes(bytes, small());
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(room.isUntouched());
  EXPECT_FALSE(hasEnded());
}

/// A small table that promises frames which never come.
TEST_F(HostileSmallTest, TableOfFramesApartWaitsForThem) {
  post(0, [&](Room&) { return ends_[0]->tagMultiRecv(kTag, TagMaskFull); });
  std::vector<std::byte> table(frameTableBytes(1));
  writeFrameTable(std::vector{FrameInfo{kSize}}, table.data());
  WireHeader header = next(MessageKind::Multi);
  header.link = 0;
  header.argument = kTag;
  header.length = table.size();
  peer_->send(header, table);
  settle();
  EXPECT_FALSE(hasEnded());
  WireHeader frame = next(MessageKind::MultiFrame);
  frame.argument = std::uint64_t{header.sequence} << 32;
  peer_->announce(frame, kSize, address());
  ASSERT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_OK));
  expectStays();
}

TEST_F(HostileSmallTest, TableThatDoesNotFitItsPayloadIsRefused) {
  post(0, [&](Room&) { return ends_[0]->tagMultiRecv(kTag, TagMaskFull); });
  std::vector<std::byte> table(frameTableBytes(1));
  writeFrameTable(std::vector{FrameInfo{kSmall, false, true}}, table.data());
  WireHeader header = next(MessageKind::Multi);
  header.link = 0;
  header.argument = kTag;
  header.length = table.size();
  peer_->send(header, table);
  expectRefused(UCS_ERR_EXCEEDS_LIMIT);
}

TEST_F(HostileSmallTest, ClaimThatIsNoneEndsTheLink) {
  post(0, [&](Room&) { return ends_[0]->tagMultiRecv(kTag, TagMaskFull); });
  std::vector<std::byte> table(frameTableBytes(0));
  writeFrameTable({}, table.data());
  WireHeader header = next(MessageKind::Multi);
  header.link = local::ClaimMemory::kClaims + 1;
  header.argument = kTag;
  header.length = table.size();
  peer_->send(header, table);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// What is taken at once has cost credit, too, which goes back.
TEST_F(HostileSmallTest, CreditGoesBackForWhatIsTakenAtOnce) {
  for (int i = 0; i < 300; ++i) {
    const Room& room = receiveStream(kSmall);
    peer_->send(whole(MessageKind::Stream), small());
    ASSERT_TRUE(until([&] { return hasEnded(); })) << i;
    EXPECT_FALSE(room.isUntouched());
    if (posted_.size() > 16) posted_.pop_front();
  }
  std::uint64_t returned = 0;
  for (const auto& said : peer_->heard) {
    if (said.header.kind == MessageKind::Credit) returned += said.header.argument;
  }
  const std::uint64_t cost = 300 * costOf(kSmall);
  EXPECT_LE(returned, cost);
  EXPECT_GT(returned + options_.unexpected_bytes / 4, cost);
  expectStays();
}

}  // namespace
}  // namespace ucxx::core::test
