// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine from which a worker asks a payload by UCX, or which asks for one.

#include <utility>

#include "core/hostile_device.h"
#include "core/request/device_copies.h"
#include "core/request/known_memory.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace ucxx::core::test {
namespace {

class HostileByUcxTest : public HostileDeviceTest {
 protected:
  /// The worker has asked for it by UCX.
  Room& receiveByUcx() {
    Room& room = receiveOnDevice();
    number_ = announceOnDevice(kSize, Announces::OnDeviceByHandle);
    EXPECT_TRUE(until([&] { return heard(kFetchByUcx) == 1; }));
    EXPECT_EQ(last(kFetchByUcx).header.argument, number_);
    return room;
  }
  WireHeader payloadFor(std::uint64_t number, std::size_t length = kSize) const {
    WireHeader header;
    header.kind = MessageKind::UcxPayload;
    header.argument = number;
    header.length = length;
    return header;
  }
  void expectRefusal(const Room& room) {
    expectEnds(UCS_ERR_INVALID_PARAM);
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    EXPECT_EQ(request().getStatus(), UCS_ERR_INVALID_PARAM);
    EXPECT_TRUE(room.isUntouched());
  }

  std::uint64_t number_ = 0;
};

TEST_F(HostileByUcxTest, APayloadThatWasAskedForComes) {
  Room& room = receiveByUcx();
  meetByUcx();
  EXPECT_FALSE(sendByUcx(payloadFor(number_), bytes(kSize, 5)));
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_OK);
  EXPECT_TRUE(room == bytes(kSize, 5));
  expectStays();
}

TEST_F(HostileByUcxTest, ASecondPayloadEndsTheLink) {
  receiveByUcx();
  meetByUcx();
  sendByUcx(payloadFor(number_), bytes(kSize, 5));
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  sendByUcx(payloadFor(number_), bytes(kSize, 6));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// What the header says, or what UCX has.
TEST_F(HostileByUcxTest, APayloadOfAnotherSizeThanItsHeaderEndsTheLink) {
  Room& room = receiveByUcx();
  meetByUcx();
  sendByUcx(payloadFor(number_), bytes(2 * kSize));
  expectRefusal(room);
}

TEST_F(HostileByUcxTest, APayloadOfAnotherSizeThanAnnouncedEndsTheLink) {
  Room& room = receiveByUcx();
  meetByUcx();
  sendByUcx(payloadFor(number_, 2 * kSize), bytes(2 * kSize));
  expectRefusal(room);
}

TEST_F(HostileByUcxTest, APayloadOfAnotherNumberEndsTheLink) {
  Room& room = receiveByUcx();
  meetByUcx();
  sendByUcx(payloadFor(number_ + 1), bytes(kSize));
  expectRefusal(room);
}

TEST_F(HostileByUcxTest, APayloadThatUcxDoesNotAnnounceEndsTheLink) {
  Room& room = receiveByUcx();
  meetByUcx();
  sendByUcx(payloadFor(number_));
  expectRefusal(room);
}

TEST_F(HostileByUcxTest, APayloadOfAMessageThatNobodyAskedForEndsTheLink) {
  meetByUcx();
  Room& room = receive();
  sendByUcx(payloadFor(announceOnDevice()), bytes(kSize));
  expectRefusal(room);
}

TEST_F(HostileByUcxTest, APayloadInTheRingEndsTheLink) {
  Room& room = receiveByUcx();
  peer_->send(payloadFor(number_), bytes(100));
  expectRefusal(room);
}

TEST_F(HostileByUcxTest, AStagedPartInItsPlaceEndsTheLink) {
  Room& room = receiveByUcx();
  const auto content = bytes(kSize);
  WireHeader header = peer_->next(MessageKind::Staged);
  header.argument = number_;
  header.endpoint = reinterpret_cast<std::uintptr_t>(content.data());
  header.length = kSize;
  peer_->send(header);
  expectRefusal(room);
}

TEST_F(HostileByUcxTest, PiecesInItsPlaceEndTheLink) {
  Room& room = receiveByUcx();
  WireHeader piece = peer_->next(MessageKind::Piece);
  piece.argument = number_;
  piece.length = kSize;
  peer_->send(piece, bytes(100));
  expectRefusal(room);
}

/// It is staged then, as is all that follows.
TEST_F(HostileByUcxTest, ARefusalAsksForItInAnotherWay) {
  receiveByUcx();
  peer_->say(MessageKind::NotByUcx, number_);
  ASSERT_TRUE(until([&] { return heard(kStage) == 1; }));
  receiveOnDevice();
  announceOnDevice(kSize, Announces::OnDeviceByHandle);
  ASSERT_TRUE(until([&] { return heard(kStage) == 2; }));
  EXPECT_EQ(heard(kFetchByUcx), 1u);
  expectStays();
  peer_->say(MessageKind::NotByUcx, number_);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileByUcxTest, ARefusalThatNobodyAskedForEndsTheLink) {
  peer_->say(MessageKind::NotByUcx, 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileByUcxTest, ARefusalOfWhatIsStagedEndsTheLink) {
  Room& room = receive();
  peer_->say(MessageKind::NotByUcx, announceOnDevice());
  expectRefusal(room);
}

/// Its receive has ended: the payload goes nowhere.
TEST_F(HostileByUcxTest, ALatePayloadIsDropped) {
  Room& room = post(kSize, [&](Room& own) {
    take(own);
    return ends_[0]->tagRecv(own.data(), kSize, kTag, TagMaskFull);
  });
  number_ = announceOnDevice(kSize, Announces::OnDeviceByHandle);
  ASSERT_TRUE(until([&] { return heard(kFetchByUcx) == 1; }));
  ends_[0]->close();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  meetByUcx();
  sendByUcx(payloadFor(number_), bytes(kSize));
  settle();
  EXPECT_TRUE(room.isUntouched());
  EXPECT_TRUE(isLinked());
}

/// Whose payload never comes, and who goes.
TEST_F(HostileByUcxTest, ThePeersEndEndsTheReceive) {
  Room& room = receiveByUcx();
  settle();
  EXPECT_FALSE(hasEnded());
  peer_->hangUp();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_ERR_CONNECTION_RESET);
  EXPECT_TRUE(room.isUntouched());
}

/// Its buffer is still in use: nobody has asked yet.
class HostileHastyTest : public HostileByUcxTest {
 protected:
  HostileHastyTest() { gpu::useDevice(); }
  ~HostileHastyTest() override { release(); }

  Room& receiveLater() {
    const gpu::Stream stream = gpu::makeStream();
    stand_in::holdCopies();
    is_held_ = true;
    gpu::must("cuMemcpyAsync", gpu::driver().copyAsync(addressOf(memory_.data()),
                                                       addressOf(memory_.data() + 4), 4, stream));
    Room& room = post(kSize, [&](Room& own) {
      take(own);
      const void* const buffer = own.data();
      const auto gate = CopyGate::behind(stream);
      const KnownMemory known({&buffer, 1}, MemoryOf::Device, gate);
      return worker_->tagRecv(own.data(), kSize, kTag, TagMaskFull);
    });
    number_ = announceOnDevice(kSize, Announces::OnDeviceByHandle);
    settle();
    EXPECT_EQ(heard(kFetchByUcx), 0u);
    return room;
  }
  void release() {
    if (!std::exchange(is_held_, false)) return;
    stand_in::releaseCopies();
    EXPECT_TRUE(until([] { return stand_in::copiesInFlight() == 0; }));  // its memory is the test's
  }

 private:
  static base::cuda::Address addressOf(const void* place) {
    return reinterpret_cast<base::cuda::Address>(place);
  }
  bool is_held_ = false;
  TakenMemory memory_{8};
};

TEST_F(HostileHastyTest, ItIsAskedWhenItsBufferIsFree) {
  receiveLater();
  release();
  EXPECT_TRUE(until([&] { return heard(kFetchByUcx) == 1; }));
  expectStays();
}

TEST_F(HostileHastyTest, AnEarlyRefusalEndsTheLink) {
  Room& room = receiveLater();
  peer_->say(MessageKind::NotByUcx, number_);
  expectEnds(UCS_ERR_INVALID_PARAM);
  release();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_TRUE(room.isUntouched());
}

TEST_F(HostileHastyTest, AnEarlyPayloadEndsTheLink) {
  Room& room = receiveLater();
  meetByUcx();
  sendByUcx(payloadFor(number_), bytes(kSize));
  expectEnds(UCS_ERR_INVALID_PARAM);
  release();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_TRUE(room.isUntouched());
}

/// What such a peer asks of an offer that UCX might carry, before the worker looks.
struct UcxWords {
  const char* name;
  std::vector<MessageKind> kinds;
  std::uint64_t number = 1;
  bool has_handle = true;
};

class HostileUcxWordsTest : public HostileDeviceTest,
                            public testing::WithParamInterface<UcxWords> {};

TEST_P(HostileUcxWordsTest, EndTheLink) {
  const UcxWords& words = GetParam();
  ASSERT_EQ(sendFromDevice(kSize, words.has_handle), 1u);
  for (const MessageKind kind : words.kinds) peer_->say(kind, words.number);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileUcxWordsTest,
    testing::Values(UcxWords{"Unknown", {MessageKind::FetchByUcx}, 2},
                    UcxWords{"Twice", {MessageKind::FetchByUcx, MessageKind::FetchByUcx}},
                    UcxWords{"AfterStage", {MessageKind::Stage, MessageKind::FetchByUcx}},
                    UcxWords{"AfterFetch", {MessageKind::Fetch, MessageKind::FetchByUcx}},
                    UcxWords{"AfterDrop", {MessageKind::Drop, MessageKind::FetchByUcx}},
                    // UCX would read it with the processor.
                    UcxWords{"OfWhatItDoesNotReach", {MessageKind::FetchByUcx}, 1, false}),
    [](const auto& info) { return info.param.name; });

TEST_F(HostileByUcxTest, AskingForAPayloadOfTheHostEndsTheLink) {
  peer_->say(kFetchByUcx, send());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

}  // namespace
}  // namespace ucxx::core::test
