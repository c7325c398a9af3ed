// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine whose payloads are fetched before there is a receive, and that sends them
// in its own way.

#include "core/hostile_sender.h"
#include "core/match/inbox.h"
#include "core/meet/links.h"
#include "local/claims.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

class HostileAheadTest : public HostileSenderTest {
 protected:
  /// Of another kind than `announce`.
  void announceStream() { peer_->announce(next(MessageKind::Stream), kSize, 0); }
  Room& receiveStream(std::size_t size = kSize) {
    return post(size, [&](Room& room) { return ends_[0]->streamRecv(room.data(), size); });
  }
  /// Its payload is asked for, without a receive.
  [[nodiscard]] bool isFetched(std::size_t count = 1) {
    return until([&] { return heard(MessageKind::Fetch) == count; });
  }
  /// For as long as that may take, several times.
  [[nodiscard]] bool isNotFetched() {
    const auto end = Clock::now() + 30ms;
    EXPECT_TRUE(until([&] { return Clock::now() > end; }));
    return heard(MessageKind::Fetch) == 0;
  }
  std::size_t fetched() const { return inboxOf(worker_->loop()).unexpected.fetched; }
  /// Nothing is kept for a peer that has gone, or whose payload nobody wants.
  void expectNothingLeft() {
    EXPECT_TRUE(until([&] { return fetched() == 0; })) << fetched();
  }
  [[nodiscard]] bool isClosed() {
    return until([&] { return !ends_[0]->isAlive(); });
  }
  /// A table of frames, with these sizes.
  std::uint32_t sendTable(const std::vector<std::size_t>& sizes, std::uint8_t stays = 0) {
    return sendTableTo(idOf(ends_[0]->getHandle()), sizes, stays);
  }
  std::uint32_t sendTableTo(std::uint64_t pair, const std::vector<std::size_t>& sizes,
                            std::uint8_t stays = 0) {
    std::vector<FrameInfo> frames;
    for (const std::size_t size : sizes) frames.push_back({size});
    std::vector<std::byte> table(frameTableBytes(frames.size()));
    writeFrameTable(frames, table.data());
    WireHeader header = peer_->next(MessageKind::Multi);
    header.endpoint = pair;
    header.argument = kTag;
    header.length = table.size();
    header.stays = stays;
    peer_->send(header, table);
    return header.sequence;
  }
  void announceFrame(std::uint32_t sequence, std::size_t index, std::uint64_t size = kSize) {
    WireHeader header = next(MessageKind::MultiFrame);
    header.argument = std::uint64_t{sequence} << 32 | index;
    peer_->announce(header, size, 0);
  }
  void receiveFrames() {
    post(0, [&](Room&) { return ends_[0]->tagMultiRecv(kTag, TagMaskFull); });
  }
};

TEST_F(HostileAheadTest, WhatComesIsReceivedLater) {
  announce(0);
  ASSERT_TRUE(isFetched());
  sendPieces(1);
  EXPECT_NE(fetched(), 0u);
  expectReceived(receive());
  expectNothingLeft();
  expectStays();
}

/// @name What was asked for without a receive is held to the same rules
/// @{
TEST_F(HostileAheadTest, TooMuchEndsTheLink) {
  announce(0, 100);
  ASSERT_TRUE(isFetched());
  sendPiece(1, 0, 99);
  sendPiece(1, 99, 2);
  expectEnds(UCS_ERR_INVALID_PARAM);
  expectNothingLeft();
}

TEST_F(HostileAheadTest, TheSameTwiceEndsTheLink) {
  announce(0);
  ASSERT_TRUE(isFetched());
  sendPieces(1);
  sendPiece(1, 0, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
  expectNothingLeft();
  expectReceived(receive());
}

TEST_F(HostileAheadTest, WhatWasNotAskedForEndsTheLink) {
  announce(0);
  sendPiece(1, 0, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
  expectNothingLeft();
}

TEST_F(HostileAheadTest, AReceiveOfWhatNeverComesEndsWithTheLink) {
  announce(0, 1000);
  ASSERT_TRUE(isFetched());
  const Room& room = receive(1000);
  sendPiece(1, 0, 999);
  settle();
  EXPECT_FALSE(hasEnded());
  sendPiece(1, 999, 2);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(hasEnded());
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_ERR_INVALID_PARAM));
  EXPECT_TRUE(room.isUntouched());
  expectNothingLeft();
}
/// @}

/// Who takes back what has been claimed is not heard.
TEST_F(HostileAheadTest, RecallsMeanNothing) {
  announce(0);
  ASSERT_TRUE(isFetched());
  WireHeader recall = peer_->next(MessageKind::Recall);
  recall.argument = recall.sequence - 1;
  peer_->send(recall);
  sendPieces(1);
  expectReceived(receive());
  EXPECT_EQ(heard(MessageKind::Drop), 0u);
  expectStays();
}

TEST_F(HostileAheadTest, DroppedProbesLetItCome) {
  announce(0);
  ASSERT_TRUE(isFetched());
  EXPECT_TRUE(worker_->tagProbe(kTag, TagMaskFull, true)->isMatched());  // and dropped
  sendPieces(1);
  expectNothingLeft();
  expectStays();
}

/// Its endpoint has ended before, so that nothing but the end of the link ends the receive.
TEST_F(HostileAheadTest, StreamReceivesEndWithTheLink) {
  announceStream();
  ASSERT_TRUE(isFetched());
  sendPiece(1, 0, 1000);
  peer_->send(next(MessageKind::Close));
  ASSERT_TRUE(isClosed());
  receiveStream();
  settle();
  EXPECT_FALSE(hasEnded());
  peer_->hangUp();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_ERR_CONNECTION_RESET));
  expectNothingLeft();
}

/// @name The bit that keeps a payload with its sender
/// @{
TEST_F(HostileAheadTest, StaysWithItsSender) {
  WireHeader header = peer_->next(MessageKind::Tag);
  header.argument = kTag;
  header.stays = 1;
  peer_->announce(header, kSize, 0);
  EXPECT_TRUE(isNotFetched());
  const Room& room = receive();
  ASSERT_TRUE(isFetched());
  sendPieces(1);
  expectReceived(room);
}

TEST_F(HostileAheadTest, OtherValuesOfTheBitEndTheLink) {
  WireHeader header = peer_->next(MessageKind::Tag);
  header.stays = 2;
  peer_->send(header);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileAheadTest, SoDoTheFramesOfSuchAMessage) {
  const std::uint32_t sequence = sendTable({kSize, kSize}, 1);
  announceFrame(sequence, 0);
  announceFrame(sequence, 1);
  EXPECT_TRUE(isNotFetched());
  receiveFrames();
  ASSERT_TRUE(isFetched(2));
  sendPieces(1);
  sendPieces(2);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_OK));
}

TEST_F(HostileAheadTest, MeansNothingWithoutAPayload) {
  WireHeader header = peer_->next(MessageKind::Credit);
  header.stays = 1;
  peer_->send(header);
  settle();
  expectStays();
}
/// @}

/// What the worker cannot hold waits for its receive.
class HostileAheadLengthTest : public HostileAheadTest,
                               public testing::WithParamInterface<std::uint64_t> {};

TEST_P(HostileAheadLengthTest, IsNotFetched) {
  announce(address(), GetParam());
  peer_->announce(next(MessageKind::Stream), GetParam(), address());
  WireHeader header = next(MessageKind::Am);
  header.announces = 1;
  header.length = GetParam();
  AmPrologue prologue;
  peer_->sendBytes(writeAmHeader(header, prologue), std::as_bytes(std::span(&GetParam(), 1)));
  header = next(MessageKind::Multi);
  header.argument = kTag;
  peer_->announce(header, GetParam(), address());
  EXPECT_TRUE(isNotFetched());
  EXPECT_EQ(fetched(), 0u);
  receive();
  expectRefused(UCS_ERR_MESSAGE_TRUNCATED);
  receiveFrames();
  expectRefused(UCS_ERR_EXCEEDS_LIMIT);
}

INSTANTIATE_TEST_SUITE_P(All, HostileAheadLengthTest,
                         testing::Values(std::uint64_t{65} << 20, std::uint64_t{1} << 62,
                                         UINT64_MAX - 512, UINT64_MAX - 256, UINT64_MAX),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

/// @name Frames
/// @{
TEST_F(HostileAheadTest, FramesComeWhenAllAreThere) {
  const std::uint32_t sequence = sendTable({kSize, kSize});
  announceFrame(sequence, 0);
  EXPECT_TRUE(isNotFetched());
  announceFrame(sequence, 1);
  ASSERT_TRUE(isFetched(2));
  sendPieces(2);
  sendPieces(1);
  receiveFrames();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_OK));
  expectNothingLeft();
  expectStays();
}

/// They could only follow their message; it is not looked for them again and again.
TEST_F(HostileAheadTest, FramesThatCannotComeAreNotWaitedFor) {
  announceFrame(sendTable({kSize, kSize}), 0);
  EXPECT_TRUE(isNotFetched());
  const Ahead& ahead = linksOf(worker_->loop()).to(HostileNeighbour::kName)->ahead();
  EXPECT_FALSE(ahead.empty());
  sendTable({100});
  EXPECT_TRUE(until([&] { return ahead.empty(); }));
  receiveFrames();
  EXPECT_TRUE(until([&] { return heard(MessageKind::Fetch) == 1; }));
  settle();
  EXPECT_FALSE(hasEnded());
  expectStays();
}

TEST_F(HostileAheadTest, AFrameOfAnotherSizeSpoilsTheMessageAlone) {
  const std::uint32_t sequence = sendTable({kSize, kSize});
  announceFrame(sequence, 0, kSize - 1);
  announceFrame(sequence, 1);
  ASSERT_TRUE(isFetched());
  EXPECT_EQ(heard(MessageKind::Drop), 1u);
  receiveFrames();
  settle();
  EXPECT_FALSE(hasEnded());
  sendPieces(2);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_ERR_INVALID_PARAM));
  expectNothingLeft();
  expectStays();
}

TEST_F(HostileAheadTest, FramesThatNeverComeEndWithTheLink) {
  const std::uint32_t sequence = sendTable({kSize, kSize});
  announceFrame(sequence, 0);
  announceFrame(sequence, 1);
  ASSERT_TRUE(isFetched(2));
  sendPieces(2);
  receiveFrames();
  settle();
  EXPECT_FALSE(hasEnded());
  peer_->hangUp();
  expectEnds(UCS_ERR_CONNECTION_RESET);
  EXPECT_TRUE(hasEnded());
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_ERR_CONNECTION_RESET));
  expectNothingLeft();
}

TEST_F(HostileAheadTest, ATableThatIsNoneWaitsForItsReceive) {
  WireHeader header = next(MessageKind::Multi);
  header.argument = kTag;
  peer_->announce(header, kSize, 0);
  announceFrame(header.sequence, 0);
  ASSERT_TRUE(isFetched());
  sendPieces(1);
  receiveFrames();
  expectRefused(UCS_ERR_EXCEEDS_LIMIT);
  expectNothingLeft();
}
/// @}

/// @name What the peer says of its own close
/// @{
TEST_F(HostileAheadTest, ClosingOfNobodyMeansNothing) {
  peer_->say(MessageKind::Closing);
  WireHeader header = peer_->next(MessageKind::Closing);
  header.endpoint = UINT64_MAX;
  peer_->send(header);
  for (int i = 0; i < 100; ++i) peer_->send(next(MessageKind::Closing));
  settle();
  expectStays();
  EXPECT_TRUE(ends_[0]->isAlive());
}

TEST_F(HostileAheadTest, ClosingWithAPayloadEndsTheLink) {
  WireHeader header = next(MessageKind::Closing);
  header.length = 8;
  peer_->send(header, std::as_bytes(std::span(&header.length, 1)));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// Of which it may take the payload all the same, if it has claimed that before.
TEST_F(HostileAheadTest, ClosingWhileThisSideCloses) {
  send();
  const auto close = ends_[0]->close();
  settle();
  EXPECT_FALSE(close->isCompleted());
  EXPECT_EQ(heard(MessageKind::Closing), 1u);
  EXPECT_FALSE(hasEnded());
  for (int i = 0; i < 3; ++i) peer_->send(next(MessageKind::Closing));
  EXPECT_TRUE(until([&] { return close->isCompleted() && hasEnded(); }));
  EXPECT_EQ(close->getStatus(), UCS_ERR_CONNECTION_RESET);
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_ERR_CANCELED));
  expectStays();
}

TEST_F(HostileAheadTest, WhatItHasClaimedIsWaitedFor) {
  const std::uint64_t number = send();
  EXPECT_TRUE(local::take(peer_->workersEnd().claims,
                          static_cast<local::Claim>(last(MessageKind::Tag).header.link)));
  const auto close = ends_[0]->close();
  peer_->send(next(MessageKind::Closing));
  settle();
  EXPECT_FALSE(close->isCompleted());
  peer_->say(MessageKind::Taken, number);
  EXPECT_TRUE(until([&] { return close->isCompleted() && hasEnded(); }));
  EXPECT_EQ(close->getStatus(), UCS_OK);
  expectStays();
}
/// @}

/// @name A standing receive
/// @{
class HostileStandingTest : public HostileAheadTest {
 protected:
  void SetUp() override {
    HostileAheadTest::SetUp();
    ends_[0]->receiveAhead(1);
  }
  /// What it holds of `ends_[0]`, as text.
  bool holds(std::size_t bytes) const {
    const std::string said = ", " + std::to_string(bytes) + " of 1 bytes received ahead";
    return worker_->describe().find(said) != std::string::npos;
  }
};

TEST_F(HostileStandingTest, FramesAreAskedForAsTheyCome) {
  const std::uint32_t sequence = sendTable({kSize, kSize});
  announceFrame(sequence, 0);
  ASSERT_TRUE(isFetched(1));
  announceFrame(sequence, 1);
  ASSERT_TRUE(isFetched(2));
  EXPECT_FALSE(holds(0));
  EXPECT_EQ(fetched(), 0u);  // of what is fetched without it
  sendPieces(2);
  sendPieces(1);
  receiveFrames();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_OK));
  EXPECT_TRUE(holds(0));
  expectStays();
}

TEST_F(HostileStandingTest, FramesThatNeverComeEndWithTheLink) {
  const std::uint32_t sequence = sendTable({kSize, kSize});
  announceFrame(sequence, 0);
  ASSERT_TRUE(isFetched());
  sendPieces(1);
  receiveFrames();
  settle();
  EXPECT_FALSE(hasEnded());
  peer_->hangUp();
  expectEnds(UCS_ERR_CONNECTION_RESET);
  EXPECT_TRUE(hasEnded());
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_ERR_CONNECTION_RESET));
}

TEST_F(HostileStandingTest, AFrameOfAnotherSizeSpoilsTheMessageAlone) {
  const std::uint32_t sequence = sendTable({kSize});
  announceFrame(sequence, 0, kSize - 1);
  EXPECT_TRUE(until([&] { return heard(MessageKind::Drop) == 1; }));
  receiveFrames();
  expectRefused(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(holds(0));
}

/// Of the second there is no room for as long as the first is held, or comes.
TEST_F(HostileStandingTest, OneAtATime) {
  announceFrame(sendTable({kSize}), 0);
  announceFrame(sendTable({kSize}), 0);
  ASSERT_TRUE(isFetched());
  sendPieces(1);
  settle();
  EXPECT_EQ(heard(MessageKind::Fetch), 1u);
  receiveFrames();
  ASSERT_TRUE(isFetched(2));
  sendPieces(2);
  receiveFrames();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_TRUE(holds(0));
  expectStays();
}

TEST_F(HostileStandingTest, ClosingForgetsWhatComes) {
  announceFrame(sendTable({kSize}), 0);
  ASSERT_TRUE(isFetched());
  const std::uint64_t pair = idOf(ends_[0]->getHandle());
  const auto close = ends_[0]->close();
  EXPECT_TRUE(until([&] { return close == nullptr || close->isCompleted(); }));
  EXPECT_FALSE(worker_->tagProbe(Tag{kTag})->isMatched());
  sendPieces(1);
  const std::uint32_t late = sendTableTo(pair, {kSize, 1});  // before it has heard of the close
  WireHeader frame = peer_->next(MessageKind::MultiFrame);
  frame.argument = std::uint64_t{late} << 32;
  peer_->announce(frame, kSize, 0);
  EXPECT_TRUE(until([&] { return heard(MessageKind::Drop) == 1; }));
  EXPECT_FALSE(worker_->tagProbe(Tag{kTag})->isMatched());
  expectStays();
}

/// The memory of a message of which not all frames have come goes with its endpoint.
TEST_F(HostileStandingTest, ClosingFreesWhatHasComeInPart) {
  const std::uint64_t used = poolStats().used_bytes;
  announceFrame(sendTable({kSize, kSize, kSize}), 1);
  ASSERT_TRUE(isFetched());
  sendPieces(1);
  EXPECT_GE(poolStats().used_bytes, used + 3 * kSize);
  const auto close = ends_[0]->close();
  EXPECT_TRUE(until([&] { return close == nullptr || close->isCompleted(); }));
  EXPECT_TRUE(until([&] { return poolStats().used_bytes <= used; }));
  expectStays();
}

/// No table is so long.
TEST_F(HostileStandingTest, AVeryLongTableIsNotAskedFor) {
  WireHeader header = next(MessageKind::Multi);
  header.argument = kTag;
  peer_->announce(header, 900 << 10, address());
  EXPECT_TRUE(isNotFetched());
  receiveFrames();
  expectRefused(UCS_ERR_EXCEEDS_LIMIT);
}

TEST_P(HostileAheadLengthTest, IsNotTakenByAStandingReceive) {
  ends_[0]->receiveAhead(SIZE_MAX);
  WireHeader header = next(MessageKind::Multi);
  header.argument = kTag;
  peer_->announce(header, std::max(GetParam(), std::uint64_t{1} << 62), address());
  EXPECT_TRUE(isNotFetched());
  receiveFrames();
  expectRefused(UCS_ERR_EXCEEDS_LIMIT);
}
/// @}

}  // namespace
}  // namespace ucxx::core::test
