// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer that announces payloads and keeps to no rule of how they are fetched.

#include <functional>
#include <span>
#include <utility>

#include "sim/hostile_fixture.h"

namespace ucxx::sim {
namespace {

using core::MessageKind;

class HostileRendezvousTest : public HostileTest {
 protected:
  static constexpr std::size_t kSize = 6000;

  /// A message whose payload the peer keeps until it is asked.
  void announce(MessageKind kind, std::uint64_t length = kSize,
                std::span<const std::byte> prologue = {}) {
    auto header = next(kind);
    header.length = length;
    header.announces = 1;
    peer_.send(header, {}, prologue);
    peer_.progress();
  }
  void say(MessageKind kind, std::uint64_t number, std::size_t bytes = 0) {
    auto header = next(kind);
    header.argument = number;
    peer_.send(header, std::vector<std::byte>(bytes, std::byte{7}));
    peer_.progress();
  }
  /// A receive that the first announcement of a tag message matches.
  std::shared_ptr<Request> receive() {
    return peer_.ends[0]->tagRecv(room_.data(), kSize, Tag{0}, TagMaskFull);
  }
  /// What its credit does not cover.
  std::shared_ptr<Request> send() { return peer_.ends[0]->tagSend(room_.data(), kSize, Tag{0}); }

  std::vector<std::byte> room_ = std::vector<std::byte>(kSize);
  std::uint64_t number_ = 0;
};

TEST_F(HostileRendezvousTest, PayloadComesInPieces) {
  const auto received = receive();
  announce(MessageKind::Tag);
  say(MessageKind::Piece, 1, 1);
  say(MessageKind::Piece, 1, kSize - 2);
  EXPECT_EQ(received->getStatus(), UCS_INPROGRESS);
  say(MessageKind::Piece, 1, 1);
  EXPECT_EQ(received->getStatus(), UCS_OK);
  EXPECT_EQ(room_, std::vector<std::byte>(kSize, std::byte{7}));
}

TEST_F(HostileRendezvousTest, PayloadGoesWhenItIsFetchedOrDropped) {
  for (const MessageKind kind : {MessageKind::Drop, MessageKind::Fetch}) {
    const auto sent = send();
    peer_.progress();
    EXPECT_EQ(sent->getStatus(), UCS_INPROGRESS);
    say(kind, ++number_);
    EXPECT_EQ(sent->getStatus(), UCS_OK);
  }
  EXPECT_TRUE(peer_.isLinked());
}

TEST_F(HostileRendezvousTest, PieceThatWasNotFetchedEndsTheLink) {
  const auto received = receive();
  announce(MessageKind::Tag);
  say(MessageKind::Piece, 2, 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(received->getStatus(), UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRendezvousTest, PieceOfWhatNobodyWantsEndsTheLink) {
  announce(MessageKind::Tag);  // unexpected
  say(MessageKind::Piece, 1, 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRendezvousTest, TooLongPieceEndsTheLink) {
  const auto received = receive();
  announce(MessageKind::Tag);
  say(MessageKind::Piece, 1, 1);
  say(MessageKind::Piece, 1, kSize);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(received->getStatus(), UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(room_[1], std::byte{0});
}

TEST_F(HostileRendezvousTest, EmptyPieceEndsTheLink) {
  const auto received = receive();
  announce(MessageKind::Tag);
  say(MessageKind::Piece, 1, 0);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRendezvousTest, PieceBehindTheLastEndsTheLink) {
  const auto received = receive();
  announce(MessageKind::Tag);
  say(MessageKind::Piece, 1, kSize);
  EXPECT_EQ(received->getStatus(), UCS_OK);
  say(MessageKind::Piece, 1, 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRendezvousTest, EmptyStreamPieceEndsTheLink) {
  announce(MessageKind::Stream, 0);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRendezvousTest, HugeStreamPieceHasNoRoom) {
  const auto received = peer_.ends[0]->streamRecv(room_.data(), 1, false);
  announce(MessageKind::Stream, std::uint64_t{1} << 62);
  EXPECT_EQ(received->getStatus(), UCS_ERR_NO_MEMORY);
}

class HostileAnswerTest : public HostileRendezvousTest,
                          public testing::WithParamInterface<std::tuple<MessageKind, MessageKind>> {
};
TEST_P(HostileAnswerTest, ToNoAnnouncementEndsTheLink) {
  say(std::get<0>(GetParam()), 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
}
TEST_P(HostileAnswerTest, SecondEndsTheLink) {
  const auto sent = send();
  peer_.progress();
  say(std::get<0>(GetParam()), 1);
  say(std::get<1>(GetParam()), 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
}
INSTANTIATE_TEST_SUITE_P(All, HostileAnswerTest,
                         testing::Combine(testing::Values(MessageKind::Fetch, MessageKind::Drop),
                                          testing::Values(MessageKind::Fetch, MessageKind::Drop)),
                         [](const auto& info) {
                           const auto name = [](MessageKind kind) {
                             return kind == MessageKind::Fetch ? "Fetch" : "Drop";
                           };
                           return std::string(name(std::get<0>(info.param))) +
                                  name(std::get<1>(info.param));
                         });

TEST_F(HostileRendezvousTest, AnnouncementWithPayloadEndsTheLink) {
  auto header = next(MessageKind::Tag);
  header.length = 100;
  header.announces = 1;
  peer_.send(header, std::vector<std::byte>(100));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRendezvousTest, AnnouncementInBothWaysEndsTheLink) {
  auto header = next(MessageKind::Tag);
  header.length = 100;
  header.announces = 1;
  peer_.announce(header, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

class HostileAnnouncedKindTest : public HostileRendezvousTest,
                                 public testing::WithParamInterface<MessageKind> {};
TEST_P(HostileAnnouncedKindTest, EndsTheLink) {
  announce(GetParam());
  expectEnds(UCS_ERR_INVALID_PARAM);
}
INSTANTIATE_TEST_SUITE_P(All, HostileAnnouncedKindTest,
                         testing::Values(MessageKind::Fragment, MessageKind::Piece,
                                         MessageKind::Credit, MessageKind::Fetch));

TEST_F(HostileRendezvousTest, MoreThanAllowedEndTheLink) {
  for (int i = 0; i < 4; ++i) announce(MessageKind::Tag);
  EXPECT_TRUE(peer_.isLinked());
  announce(MessageKind::Tag);
  expectEnds(UCS_ERR_NO_MEMORY);
}

/// How it comes, its sender says elsewhere.
TEST_F(HostileRendezvousTest, WhatIsSaidToBeADevicesIsReceivedAsAny) {
  core::AmPrologue on_device;
  on_device.memory_type = UCS_MEMORY_TYPE_CUDA;
  auto bytes = core::writeAmHeader({}, on_device);
  bytes.erase(bytes.begin(), bytes.begin() + sizeof(core::WireHeader));
  announce(MessageKind::Am, kSize, bytes);
  EXPECT_TRUE(peer_.isLinked());
}

/// Only inside a machine: its receiver could not copy what is staged.
class HostileFarDeviceTest : public HostileRendezvousTest,
                             public testing::WithParamInterface<core::Announces> {};
TEST_P(HostileFarDeviceTest, EndsTheLink) {
  auto header = next(MessageKind::Tag);
  header.length = kSize;
  header.announces = static_cast<std::uint8_t>(GetParam());
  peer_.send(header);
  expectEnds(UCS_ERR_INVALID_PARAM);
}
INSTANTIATE_TEST_SUITE_P(All, HostileFarDeviceTest,
                         testing::Values(core::Announces::OnDevice,
                                         core::Announces::OnDeviceByHandle));

class HostileDeviceWordTest : public HostileRendezvousTest,
                              public testing::WithParamInterface<MessageKind> {};
TEST_P(HostileDeviceWordTest, EndsTheLink) {
  say(GetParam(), 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
}
INSTANTIATE_TEST_SUITE_P(All, HostileDeviceWordTest,
                         testing::Values(MessageKind::Stage, MessageKind::Staged,
                                         MessageKind::StagedTaken, MessageKind::FetchByUcx,
                                         MessageKind::NotByUcx, MessageKind::UcxPayload));

}  // namespace
}  // namespace ucxx::sim
