// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that meets a worker by UCX in its own way, or sends by it what it must
// not.

#include "core/hostile_device.h"

#include <utility>

#include "core/meet/links.h"

namespace ucxx::core::test {
namespace {

class HostileMeetingTest : public HostileDeviceTest {
 protected:
  /// The worker is to send by UCX: it has asked.
  void sendForUcx() {
    const auto asked = heard(kAsk);
    const std::uint64_t number = sendFromDevice(kLeastByUcx, true);
    peer_->say(kFetchByUcx, number);
    ASSERT_TRUE(until([&] { return heard(kAsk) == asked + 1; }));
    EXPECT_FALSE(hasEnded());
  }
};

TEST_F(HostileMeetingTest, GoodQuestionIsAnswered) {
  sendAddress(kAsk, address());
  ASSERT_TRUE(until([&] { return heard(kAnswer) == 1; }));
  EXPECT_EQ(last(kAnswer).payload, linksOf(worker_->loop()).ucxAddress());
  expectStays();
}

TEST_F(HostileMeetingTest, SecondQuestionEndsTheLink) {
  sendAddress(kAsk, address());
  sendAddress(kAsk, address());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileMeetingTest, SecondAnswerEndsTheLink) {
  sendForUcx();
  sendAddress(kAnswer, address());
  sendAddress(kAnswer, address());
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
}

TEST_F(HostileMeetingTest, AnswerThatNobodyAskedForEndsTheLink) {
  sendAddress(kAnswer, address());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileMeetingTest, LengthThatIsNotThatOfTheAddressEndsTheLink) {
  WireHeader header = peer_->next(kAsk);
  header.length = address().size() + 1;
  peer_->send(header, address());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileMeetingTest, AnnouncedAddressEndsTheLink) {
  WireHeader header = peer_->next(kAsk);
  header.announces = 1;
  peer_->send(header);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileMeetingTest, QuestionWithoutAddressEndsTheLink) {
  sendAddress(kAsk, {});
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// A refusal may say anything; the payload may be asked for in another way, and the next one asks
/// again.
TEST_F(HostileMeetingTest, RefusalsAreToldAndEndNothing) {
  const std::uint64_t refusals[] = {-UCS_ERR_NO_RESOURCE, 0, 100, UINT64_MAX};
  for (const std::uint64_t argument : refusals) {
    const auto told = heard(MessageKind::NotByUcx);
    sendForUcx();
    sendAddress(kAnswer, {}, argument);
    ASSERT_TRUE(until([&] { return heard(MessageKind::NotByUcx) == told + 1; }));
    EXPECT_EQ(last(MessageKind::NotByUcx).header.argument, announced_);
    EXPECT_FALSE(hasEnded());
    const auto staged = heard(MessageKind::Staged);
    peer_->say(kStage, announced_);
    ASSERT_TRUE(until([&] { return heard(MessageKind::Staged) == staged + 1; }));
    peer_->say(kStagedTaken, announced_);
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    EXPECT_EQ(request().getStatus(), UCS_OK);
    expectStays();
  }
}

/// Addresses that UCX must not see.
struct BadAddress {
  const char* name;
  std::size_t size;
  std::byte first;
};

class HostileUcxAddressTest : public HostileMeetingTest,
                              public testing::WithParamInterface<BadAddress> {
 protected:
  static Address bad() {
    Address address(GetParam().size, std::byte{0x5a});
    if (!address.empty()) address.front() = GetParam().first;
    return address;
  }
};

TEST_P(HostileUcxAddressTest, IsNoQuestion) {
  sendAddress(kAsk, bad());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_P(HostileUcxAddressTest, IsNoAnswer) {
  sendForUcx();
  sendAddress(kAnswer, bad());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

INSTANTIATE_TEST_SUITE_P(All, HostileUcxAddressTest,
                         testing::Values(BadAddress{"OfAnUnknownVersion", 100, std::byte{0x0f}},
                                         BadAddress{"TooLong", (8 << 10) + 1, {}},
                                         BadAddress{"MuchTooLong", 30 << 10, {}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_F(HostileMeetingTest, MessageByUcxWithoutMeetingEndsTheLink) {
  EXPECT_TRUE(sendByUcx(peer_->next(MessageKind::MultiFrame)));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileMeetingTest, ControlMessageByUcxEndsTheLink) {
  meetByUcx();
  EXPECT_TRUE(sendByUcx(peer_->next(MessageKind::Credit)));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// It is as any other payload of the host's: only its sender knows better.
TEST_F(HostileMeetingTest, DeviceMessageAnnouncedAsTheHostsIsReceived) {
  post(0, [&](Room&) { return ends_[0]->amRecv(); });
  AmPrologue prologue;
  prologue.memory_type = UCS_MEMORY_TYPE_CUDA;
  WireHeader header = next(MessageKind::Am);
  header.announces = 1;
  header.length = 100;
  peer_->sendBytes(writeAmHeader(header, prologue));
  ASSERT_TRUE(until([&] { return heard(MessageKind::Fetch) == 1; }));
  WireHeader piece = peer_->next(MessageKind::Piece);
  piece.argument = last(MessageKind::Fetch).header.argument;
  const auto content = bytes(100);
  piece.length = content.size();
  peer_->send(piece, content);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  ASSERT_EQ(request().getStatus(), UCS_OK);
  const auto buffer = posted_.back().request->getRecvBuffer();
  ASSERT_EQ(buffer->getSize(), content.size());
  EXPECT_EQ(std::memcmp(buffer->data(), content.data(), content.size()), 0);
  expectStays();
}

TEST_F(HostileMeetingTest, DeviceFrameAnnouncedAtNoAddressEndsItsReceiveAtMost) {
  post(0, [&](Room&) { return ends_[0]->tagMultiRecv(kTag, TagMaskFull); });
  std::vector<std::byte> table(frameTableBytes(1));
  FrameInfo info{kSize};
  info.cuda = true;
  writeFrameTable(std::vector{info}, table.data());
  WireHeader header = peer_->next(MessageKind::Multi);
  header.argument = kTag;
  header.length = table.size();
  peer_->send(header, table);
  WireHeader frame = peer_->next(MessageKind::MultiFrame);
  frame.argument = std::uint64_t{header.sequence} << 32;
  peer_->announce(frame, kSize, 0);
  ASSERT_TRUE(until([&] { return heard(MessageKind::Fetch) == 1; }));
  expectStays();
  EXPECT_FALSE(hasEnded());
  peer_->hangUp();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_TRUE(UCS_STATUS_IS_ERR(request().getStatus()));
}

/// Here the limits of what may wait are smaller.
class StashTest : public HostileMeetingTest {
 protected:
  StashTest() { options_.unexpected_bytes = 1 << 20; }
  void sendAnnouncements(int count, std::size_t header_bytes) {
    const compat::Deadline deadline;
    AmPrologue prologue;
    prologue.user_header = std::string(header_bytes, 'h');
    for (int i = 0; i < count && isLinked(); ++i) {
      WireHeader header = next(MessageKind::Am);
      header.announces = 1;
      header.length = kSize;
      while (isLinked() && !peer_->trySendBytes(writeAmHeader(header, prologue)) && deadline)
        progress();
    }
  }
};

/// Long headers of what is announced behind a message that is late are no fault.
TEST_F(StashTest, LongHeadersWaitForALateMessage) {
  const WireHeader late = peer_->next(MessageKind::Credit);
  sendAnnouncements(3000, 8000);
  EXPECT_TRUE(until([&] { return worker_->stats().reordered_messages == 3000; }));
  peer_->send(late);
  EXPECT_TRUE(until([&] { return worker_->stats().unexpected_messages >= 3000; }));
  expectStays();
}

TEST_F(StashTest, MoreAnnouncementsThanAllowedDoNotWait) {
  (void)peer_->next(MessageKind::Credit);
  sendAnnouncements(static_cast<int>(options_.announcements + options_.multi_frames) + 1, 0);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

}  // namespace
}  // namespace ucxx::core::test
