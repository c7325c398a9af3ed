// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine from whom a worker receives, and that announces and sends in its own way.

#include "core/hostile_sender.h"

#include <sys/mman.h>

namespace ucxx::core::test {
namespace {

constexpr std::uint64_t kEndOfMemory = 1;  // stands for an address

/// Addresses where nothing can be read, or not all of it.
class HostileAddressTest : public HostileSenderTest,
                           public testing::WithParamInterface<std::uint64_t> {
 protected:
  ~HostileAddressTest() override {
    if (mapped_ != MAP_FAILED) ::munmap(mapped_, kMapped);
  }
  std::uint64_t address() {
    if (GetParam() != kEndOfMemory) return GetParam();
    mapped_ = ::mmap(nullptr, kMapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_EQ(::mprotect(static_cast<std::byte*>(mapped_) + kSize / 2 / 4096 * 4096, kMapped / 2,
                         PROT_NONE),
              0);
    return reinterpret_cast<std::uintptr_t>(mapped_);
  }

 private:
  static constexpr std::size_t kMapped = 2 * kSize / 4096 * 4096;
  void* mapped_ = MAP_FAILED;
};

TEST_P(HostileAddressTest, PayloadIsFetchedInPieces) {
  const Room& room = receive();
  announce(address());
  ASSERT_TRUE(until([&] { return heard(MessageKind::Fetch) == 1; }));
  EXPECT_EQ(last(MessageKind::Fetch).header.argument, 1u);
  sendPieces(1);
  expectReceived(room);
  expectStays();
}

INSTANTIATE_TEST_SUITE_P(All, HostileAddressTest,
                         testing::Values(0, kEndOfMemory, 4096, 0xdead000000000000,
                                         0xffffffff81000000, UINT64_MAX - 4095, UINT64_MAX),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST_F(HostileSenderTest, GoodAddressIsCopiedFrom) {
  const Room& room = receive();
  announce(address());
  expectReceived(room);
  EXPECT_TRUE(until([&] { return heard(MessageKind::Taken) == 1; }));
  expectStays();
}

/// They have their places: what comes through the ring does not pile up behind a message that UCX
/// still has.
TEST_F(HostileSenderTest, PiecesNeedNoTurn) {
  const Room& room = receive();
  announce(0);
  ASSERT_TRUE(until([&] { return heard(MessageKind::Fetch) == 1; }));
  const WireHeader late = peer_->next(MessageKind::Credit);
  sendPieces(1);
  expectReceived(room);
  peer_->send(late);
  expectStays();
}

/// Headers cost no credit, so their size is limited.
TEST_F(HostileSenderTest, HeaderThatIsTooLongEndsTheLink) {
  AmPrologue prologue;
  prologue.user_header = std::string(9 << 10, 'h');
  WireHeader header = next(MessageKind::Am);
  header.announces = 1;
  header.length = kSize;
  peer_->sendBytes(writeAmHeader(header, prologue));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

constexpr std::uint64_t kLengths[] = {kAnnouncedBytes << 20, std::uint64_t{1} << 62, UINT64_MAX};

/// What the worker cannot hold.
class HostileLengthTest : public HostileSenderTest,
                          public testing::WithParamInterface<std::uint64_t> {};

TEST_P(HostileLengthTest, IsNoLengthOfATagMessage) {
  const Room& room = receive();
  announce(address(), GetParam());
  expectRefused(UCS_ERR_MESSAGE_TRUNCATED);
  EXPECT_EQ(heard(MessageKind::Drop), 1u);
  EXPECT_TRUE(room.isUntouched());
}

TEST_P(HostileLengthTest, IsNoLengthOfAnActiveMessage) {
  post(0, [&](Room&) { return ends_[0]->amRecv(); });
  AmPrologue prologue;
  WireHeader header = next(MessageKind::Am);
  header.announces = 1;
  header.length = GetParam();
  peer_->sendBytes(writeAmHeader(header, prologue), std::as_bytes(std::span(&GetParam(), 1)));
  expectRefused(UCS_ERR_NO_MEMORY);
}

TEST_P(HostileLengthTest, IsNoLengthOfAStream) {
  post(1, [&](Room& room) { return ends_[0]->streamRecv(room.data(), 1, false); });
  peer_->announce(next(MessageKind::Stream), GetParam(), address());
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_ERR_NO_MEMORY);
  EXPECT_TRUE(isLinked());
}

TEST_P(HostileLengthTest, IsNoLengthOfAFrame) {
  post(0, [&](Room&) { return ends_[0]->tagMultiRecv(kTag, TagMaskFull); });
  std::vector<std::byte> table(frameTableBytes(1));
  writeFrameTable(std::vector{FrameInfo{GetParam()}}, table.data());
  WireHeader header = next(MessageKind::Multi);
  header.argument = kTag;
  header.length = table.size();
  peer_->send(header, table);
  expectRefused(UCS_ERR_EXCEEDS_LIMIT);
}

TEST_P(HostileLengthTest, IsNotThatOfTheFrameInItsTable) {
  post(0, [&](Room&) { return ends_[0]->tagMultiRecv(kTag, TagMaskFull); });
  std::vector<std::byte> table(frameTableBytes(1));
  writeFrameTable(std::vector{FrameInfo{kSize}}, table.data());
  WireHeader header = next(MessageKind::Multi);
  header.argument = kTag;
  header.length = table.size();
  peer_->send(header, table);
  WireHeader frame = next(MessageKind::MultiFrame);
  frame.argument = std::uint64_t{header.sequence} << 32;
  peer_->announce(frame, GetParam(), address());
  expectRefused(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(heard(MessageKind::Drop), 1u);
}

TEST_P(HostileLengthTest, IsNoLengthOfWhatComesWhole) {
  WireHeader header = next(MessageKind::Tag);
  header.length = GetParam();
  peer_->send(header, std::span(payload_).first(100));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

INSTANTIATE_TEST_SUITE_P(All, HostileLengthTest, testing::ValuesIn(kLengths),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

/// An announcement says nothing or an address.
TEST_F(HostileSenderTest, AnnouncementWithAnotherPayloadEndsTheLink) {
  const Room& room = receive();
  WireHeader header = next(MessageKind::Tag);
  header.argument = kTag;
  header.length = kSize;
  header.announces = 1;
  peer_->send(header, std::span(payload_).first(16));
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(room.isUntouched());
}

/// Pieces that nobody has asked for, or of which there are too many.
class HostilePieceTest : public HostileSenderTest {
 protected:
  /// The worker has asked for all of the first announcement.
  Room& fetch() {
    Room& room = receive();
    announce(0);
    EXPECT_TRUE(until([&] { return heard(MessageKind::Fetch) == 1; }));
    return room;
  }
};

TEST_F(HostilePieceTest, OfNothingEndsTheLink) {
  sendPiece(1, 0, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostilePieceTest, OfWhatNobodyWantsEndsTheLink) {
  announce(0);
  sendPiece(1, 0, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostilePieceTest, OfAnotherEndsTheLink) {
  const Room& room = fetch();
  sendPiece(2, 0, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(request().getStatus(), UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(room.isUntouched());
}

TEST_F(HostilePieceTest, WithoutBytesEndsTheLink) {
  fetch();
  sendPiece(1, 0, 0);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostilePieceTest, BehindTheLastEndsTheLink) {
  const Room& room = fetch();
  sendPieces(1);
  expectReceived(room);
  sendPiece(1, 0, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostilePieceTest, PastTheEndEndsTheLink) {
  const Room& room = post(100'000, [&](Room& its) {
    return worker_->tagRecv(its.data(), its.size(), kTag, TagMaskFull);
  });
  announce(0, 100);
  ASSERT_TRUE(until([&] { return heard(MessageKind::Fetch) == 1; }));
  sendPiece(1, 0, 99);
  sendPiece(1, 99, 2);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(room.content()[99], std::byte{0xcc});
}

TEST_F(HostilePieceTest, LargerThanAllEndsTheLink) {
  const Room& room = receive(100);
  announce(0, 100);
  ASSERT_TRUE(until([&] { return heard(MessageKind::Fetch) == 1; }));
  sendPiece(1, 0, 30'000);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(room.isUntouched());
}

TEST_F(HostilePieceTest, OfWhatWasDroppedEndsTheLink) {
  receive(100);
  announce(0);  // too long for that
  ASSERT_TRUE(until([&] { return heard(MessageKind::Drop) == 1; }));
  sendPiece(1, 0, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostilePieceTest, OfWhatIsBeingCopiedEndsTheLink) {
  receive();
  copyHooks().on_read = [&](int count) {
    if (count != 1) return;
    words().claims = claimsOf(round(), 1, kChunks - 1);  // a chunk is held
    sendPiece(1, 0, 100);
  };
  announce(address());
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_FALSE(hasEnded()) << "while the peer may write";
}

}  // namespace
}  // namespace ucxx::core::test
