// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that meets a worker by UCX in its own way, or sends by it what it must
// not.

#include <utility>

#include "core/hostile_local.h"

namespace ucxx::core::test {
namespace {

constexpr auto kAsk = MessageKind::UcxAsk;
constexpr auto kAnswer = MessageKind::UcxAnswer;
using Address = std::vector<std::byte>;

class HostileDeviceTest : public HostileLocalTest {
 protected:
  HostileDeviceTest() {
    local_ = "auto";
    options_.cuda_buffer_type = BufferType::Host;
  }

  /// That UCX can read: of another worker.
  const Address& address() { return honest_->loop().links().ucxAddress(); }
  void sendAddress(MessageKind kind, const Address& its, std::uint64_t argument = 0) {
    WireHeader header = peer_->next(kind);
    header.length = its.size();
    header.argument = argument;
    peer_->send(header, its);
  }
  /// The worker wants to send from a device: it has asked.
  void sendFromDevice() {
    const auto content = bytes(1000);
    const auto asked = heard(kAsk);
    post(1000, [&](Room& room) {
      std::copy(content.begin(), content.end(), room.data());
      return ends_[0]->amSend(room.data(), 1000, UCS_MEMORY_TYPE_CUDA);
    });
    ASSERT_TRUE(until([&] { return heard(kAsk) == asked + 1; }));
    EXPECT_FALSE(hasEnded());
  }
  /// By UCX, for its link with this peer.
  void sendByUcx(MessageKind kind) {
    const ucp::Endpoint::Failure ignored{nullptr, [](void*, ucs_status_t) {}};
    ucp::Endpoint endpoint(honest_->loop().ensureUcp(), worker_->loop().links().ucxAddress(),
                           ignored);
    struct Sent final : base::Completion {
      bool ended = false;
    } sent, closed;
    sent.done = closed.done = [](base::Completion& self, ucs_status_t) {
      static_cast<Sent&>(self).ended = true;
    };
    WireHeader header = peer_->next(kind);
    header.link = peer_->linkName();
    const auto handled = worker_->stats().dropped_messages;
    const auto bytes = std::as_bytes(std::span(&header, 1));
    const auto move = [&] { honest_->loop().ucp().progress(); };
    sent.ended = endpoint.send(bytes, nullptr, 0, false, sent) != UCS_INPROGRESS;
    EXPECT_TRUE(
        until([&] { return move(), sent.ended && worker_->stats().dropped_messages != handled; }));
    closed.ended = endpoint.close(closed) != UCS_INPROGRESS;
    EXPECT_TRUE(until([&] { return move(), closed.ended; }));
  }
};

TEST_F(HostileDeviceTest, GoodQuestionIsAnswered) {
  sendAddress(kAsk, address());
  ASSERT_TRUE(until([&] { return heard(kAnswer) == 1; }));
  EXPECT_EQ(last(kAnswer).payload, worker_->loop().links().ucxAddress());
  expectStays();
}

TEST_F(HostileDeviceTest, SecondQuestionEndsTheLink) {
  sendAddress(kAsk, address());
  sendAddress(kAsk, address());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileDeviceTest, SecondAnswerEndsTheLink) {
  sendFromDevice();
  sendAddress(kAnswer, address());
  sendAddress(kAnswer, address());
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
}

TEST_F(HostileDeviceTest, AnswerThatNobodyAskedForEndsTheLink) {
  sendAddress(kAnswer, address());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileDeviceTest, LengthThatIsNotThatOfTheAddressEndsTheLink) {
  WireHeader header = peer_->next(kAsk);
  header.length = address().size() + 1;
  peer_->send(header, address());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileDeviceTest, AnnouncedAddressEndsTheLink) {
  WireHeader header = peer_->next(kAsk);
  header.announces = 1;
  peer_->send(header);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileDeviceTest, QuestionWithoutAddressEndsTheLink) {
  sendAddress(kAsk, {});
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// A refusal may say anything; the next send asks again.
TEST_F(HostileDeviceTest, RefusalsEndTheirSendsAlone) {
  const std::pair<std::uint64_t, ucs_status_t> refusals[] = {
      {-UCS_ERR_NO_RESOURCE, UCS_ERR_NO_RESOURCE},
      {0, UCS_ERR_UNREACHABLE},
      {100, UCS_ERR_UNREACHABLE},
      {UINT64_MAX, UCS_ERR_UNREACHABLE}};
  for (const auto& [argument, status] : refusals) {
    sendFromDevice();
    sendAddress(kAnswer, {}, argument);
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    EXPECT_EQ(request().getStatus(), status) << argument;
    expectStays();
  }
}

/// Addresses that UCX must not see.
struct BadAddress {
  const char* name;
  std::size_t size;
  std::byte first;
};

class HostileUcxAddressTest : public HostileDeviceTest,
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
  sendFromDevice();
  sendAddress(kAnswer, bad());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

INSTANTIATE_TEST_SUITE_P(All, HostileUcxAddressTest,
                         testing::Values(BadAddress{"OfAnUnknownVersion", 100, std::byte{0x0f}},
                                         BadAddress{"TooLong", (8 << 10) + 1, {}},
                                         BadAddress{"MuchTooLong", 30 << 10, {}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_F(HostileDeviceTest, MessageByUcxWithoutMeetingEndsTheLink) {
  sendByUcx(MessageKind::MultiFrame);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileDeviceTest, ControlMessageByUcxEndsTheLink) {
  sendAddress(kAsk, address());
  ASSERT_TRUE(until([&] { return heard(kAnswer) == 1; }));
  sendByUcx(MessageKind::Credit);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// Only UCX writes to the memory of a device.
TEST_F(HostileDeviceTest, DeviceMessageAnnouncedInTheRingEndsTheLink) {
  AmPrologue prologue;
  prologue.memory_type = UCS_MEMORY_TYPE_CUDA;
  WireHeader header = next(MessageKind::Am);
  header.announces = 1;
  header.length = kSize;
  peer_->sendBytes(writeAmHeader(header, prologue));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileDeviceTest, DeviceFrameAnnouncedInTheRingIsRefused) {
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
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_TRUE(UCS_STATUS_IS_ERR(request().getStatus()));
  expectStays();
}

/// Here the limits of what may wait are smaller.
class StashTest : public HostileDeviceTest {
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

/// What UCX carries comes when it comes; long headers of what is announced behind it are no fault.
TEST_F(StashTest, LongHeadersWaitForADevicesMessage) {
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
