// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that stages payloads in memory of a device in its own way, or takes in its
// own way what is staged for it.

#include <sys/mman.h>

#include "core/hostile_device.h"
#include "core/meet/links.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kPart = 1 << 20;  // the longest

/// @name Its worker sends
/// @{

class HostileTakerTest : public HostileDeviceTest {
 protected:
  /// The worker has told this part of the payload that it sends.
  bool holds(const HostileNeighbour::Said& told, std::size_t offset, std::size_t total) const {
    const auto content = bytes(total, 5);
    const auto* const part = reinterpret_cast<const std::byte*>(told.header.endpoint);
    return std::equal(part, part + told.header.length, content.data() + offset);
  }
};

/// What the peer says of one announcement, the worker looking after each word or after them all.
struct TakersWords {
  const char* name;
  std::vector<MessageKind> kinds;
  bool ends_link = true;
  bool each_in_turn = false;
  bool is_on_device = true;
  std::uint64_t number = 1;
};

class HostileTakersWordsTest : public HostileTakerTest,
                               public testing::WithParamInterface<TakersWords> {};

TEST_P(HostileTakersWordsTest, EndTheSendOrTheLink) {
  const TakersWords& words = GetParam();
  ASSERT_EQ(words.is_on_device ? sendFromDevice() : send(), 1u);
  for (const MessageKind kind : words.kinds) {
    peer_->say(kind, words.number);
    if (!words.each_in_turn) continue;
    settle();
    EXPECT_TRUE(until([&] { return heard(MessageKind::Staged) == 1 || !isLinked(); }));
  }
  if (words.ends_link) {
    expectEnds(UCS_ERR_INVALID_PARAM);
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    return;
  }
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_OK);
  expectStays();
}

constexpr auto kStages = MessageKind::Stage, kTakes = MessageKind::StagedTaken;
constexpr auto kFetches = MessageKind::Fetch, kDrops = MessageKind::Drop;
constexpr auto kHasTaken = MessageKind::Taken;

INSTANTIATE_TEST_SUITE_P(
    All, HostileTakersWordsTest,
    testing::Values(TakersWords{"TakenInTurn", {kStages, kTakes}, false, true},
                    TakersWords{"Fetched", {kFetches}, false},
                    TakersWords{"Dropped", {kDrops}, false},
                    TakersWords{"TakenWithoutACopy", {kHasTaken}, false},
                    TakersWords{"StageUnknown", {kStages}, true, false, true, 2},
                    TakersWords{"StageNone", {kStages}, true, false, true, 0},
                    TakersWords{"StageTwice", {kStages, kStages}},
                    TakersWords{"StageTwiceInTurn", {kStages, kStages}, true, true},
                    TakersWords{"StageFetched", {kFetches, kStages}},
                    TakersWords{"FetchStaged", {kStages, kFetches}},
                    TakersWords{"FetchStagedInTurn", {kStages, kFetches}, true, true},
                    TakersWords{"StageDropped", {kDrops, kStages}},
                    TakersWords{"DropStaged", {kStages, kDrops}},
                    TakersWords{"DropStagedInTurn", {kStages, kDrops}, true, true},
                    TakersWords{"StageTaken", {kHasTaken, kStages}},
                    TakersWords{"AllTakenOfStaged", {kStages, kHasTaken}, true, true},
                    TakersWords{"PartTakenUnknown", {kTakes}, true, false, true, UINT64_MAX},
                    TakersWords{"PartTakenOfNothing", {kTakes}},
                    TakersWords{"PartTakenTooEarly", {kStages, kTakes}},
                    TakersWords{"PartTakenTwice", {kStages, kTakes, kTakes}, true, true},
                    TakersWords{"PartTakenOfPieces", {kFetches, kTakes}},
                    TakersWords{"StageOfTheHost", {kStages}, true, false, false},
                    TakersWords{"PartTakenOfTheHost", {kTakes}, true, false, false},
                    TakersWords{
                        "PartTakenOfTheHostsPieces", {kFetches, kTakes}, true, false, false}),
    [](const auto& info) { return info.param.name; });

TEST_F(HostileTakerTest, HelpForADevicesPayloadEndsTheLink) {
  Room target(kSize);
  peer_->help(sendFromDevice(), {reinterpret_cast<std::uintptr_t>(target.data()), 64 << 10, 15, 9});
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(target.isUntouched());
}

/// However long it takes nothing, and whatever it took.
TEST_F(HostileTakerTest, AtMostFourPartsAreStaged) {
  constexpr std::size_t kTotal = 6 * kPart + 3;
  const std::uint64_t number = sendFromDevice(kTotal);
  peer_->say(kStage, number);
  for (std::size_t taken = 0; taken <= 6; ++taken) {
    const std::size_t told = std::min<std::size_t>(taken + 4, 7);
    ASSERT_TRUE(until([&] { return heard(MessageKind::Staged) == told; })) << taken;
    settle();
    EXPECT_EQ(heard(MessageKind::Staged), told);
    EXPECT_TRUE(holds(last(MessageKind::Staged), (told - 1) * kPart, kTotal));
    EXPECT_FALSE(hasEnded());
    peer_->say(kStagedTaken, number);
  }
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_OK);
  expectStays();
  peer_->say(kStagedTaken, number);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// The device fails in the middle. A peer that has not read so goes on with what it was told.
TEST_F(HostileTakerTest, PartsMayBeTakenBehindAFailure) {
  const std::uint64_t number = sendFromDevice(6 * kPart);
  peer_->say(kStage, number);
  ASSERT_TRUE(until([&] { return heard(MessageKind::Staged) == 4; }));
  stand_in::failNextCopy();
  peer_->say(kStagedTaken, number);
  ASSERT_TRUE(until([&] { return heard(MessageKind::Staged) == 5; }));
  EXPECT_EQ(last(MessageKind::Staged).header.length, 0u);
  EXPECT_EQ(statusFrom(last(MessageKind::Staged).header.endpoint, UCS_OK), UCS_ERR_IO_ERROR);
  for (int i = 0; i < 3; ++i) peer_->say(kStagedTaken, number);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_ERR_IO_ERROR);
  expectStays();
  EXPECT_EQ(heard(MessageKind::Staged), 5u);
  peer_->say(kStagedTaken, number);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// Between two parts.
TEST_F(HostileTakerTest, ThePeersEndEndsTheSend) {
  const std::uint64_t number = sendFromDevice(6 * kPart);
  peer_->say(kStage, number);
  ASSERT_TRUE(until([&] { return heard(MessageKind::Staged) == 4; }));
  peer_->say(kStagedTaken, number);
  ASSERT_TRUE(until([&] { return heard(MessageKind::Staged) == 5; }));
  peer_->hangUp();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_ERR_CONNECTION_RESET);
  EXPECT_TRUE(until([&] { return !isLinked(); }));
}

/// Whatever such a peer has asked for and never takes.
TEST_F(HostileTakerTest, ACloseDoesNotWaitForEver) {
  peer_->say(kStage, sendFromDevice(6 * kPart));
  ASSERT_TRUE(until([&] { return heard(MessageKind::Staged) == 4; }));
  linksOf(worker_->loop()).to(HostileNeighbour::kName)->fail(UCS_ERR_ENDPOINT_TIMEOUT);
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(request().getStatus(), UCS_ERR_ENDPOINT_TIMEOUT);
}

/// @}
/// @name Its worker receives
/// @{

/// Into memory of the host, or of a device.
class HostileStagerTest : public HostileDeviceTest, public testing::WithParamInterface<bool> {
 protected:
  void sayStaged(std::uint64_t number, std::uint64_t at, std::uint64_t length) {
    WireHeader header = peer_->next(MessageKind::Staged);
    header.argument = number;
    header.endpoint = at;
    header.length = length;
    peer_->send(header);
  }
  void stagePart(std::uint64_t number, std::size_t offset, std::size_t length) {
    sayStaged(number, reinterpret_cast<std::uintptr_t>(content_.data()) + offset, length);
  }
  Room& receiveIt(std::size_t size = kSize) {
    return GetParam() ? receiveOnDevice(size) : receive(size);
  }
  /// The worker has asked for `size` bytes.
  Room& askFor(std::size_t size = kSize) {
    Room& room = receiveIt(size);
    number_ = announceOnDevice(size);
    EXPECT_TRUE(until([&] { return heard(kStage) == number_; }));
    return room;
  }
  void expectLinkEnds(const Room& room) {
    expectEnds(UCS_ERR_INVALID_PARAM);
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    EXPECT_EQ(request().getStatus(), UCS_ERR_INVALID_PARAM);
    EXPECT_TRUE(room.isUntouched());
  }
  /// The receive alone ends.
  void expectReceiveEnds(ucs_status_t status) {
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    EXPECT_EQ(statusOf(request()), ucs_status_string(status));
    expectStays();
  }

  std::vector<std::byte> content_ = bytes(3 * kPart, 6);
  std::uint64_t number_ = 0;
};

TEST_P(HostileStagerTest, APayloadInPartsComes) {
  Room& room = askFor(2 * kPart + 100);
  for (const std::size_t part : {0, 1, 2}) {
    stagePart(number_, part * kPart, part == 2 ? 100 : kPart);
    ASSERT_TRUE(until([&] { return heard(kStagedTaken) == part + 1; }));
  }
  expectReceiveEnds(UCS_OK);
  EXPECT_TRUE(std::equal(room.content().begin(), room.content().end(), content_.begin()));
  stagePart(number_, 0, 100);  // one more
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_P(HostileStagerTest, APartThatNobodyAskedForEndsTheLink) {
  const std::uint64_t number = announceOnDevice();
  settle();
  EXPECT_EQ(heard(kStage), 0u);  // there is no receive
  stagePart(number, 0, kSize);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_P(HostileStagerTest, APartOfAnotherNumberEndsTheLink) {
  Room& room = askFor();
  stagePart(number_ + 1, 0, kSize);
  expectLinkEnds(room);
}

TEST_P(HostileStagerTest, APartOfAWrongSizeEndsTheLink) {
  for (const std::uint64_t size : {std::uint64_t{1}, kSize - 1, kSize + 1, UINT64_MAX}) {
    Room& room = askFor();
    stagePart(number_, 0, size);
    expectLinkEnds(room);
    forgetPeer();
    meetPeer();
  }
}

TEST_P(HostileStagerTest, APartThatIsNotTheNextOneEndsTheLink) {
  for (const std::size_t size : {kPart - 1, kPart + 1, 2 * kPart, 2 * kPart + 100}) {
    Room& room = askFor(2 * kPart + 100);
    stagePart(number_, 0, size);
    expectLinkEnds(room);
    forgetPeer();
    meetPeer();
  }
}

/// Addresses that cannot be read: the process lives, and so does the link.
TEST_P(HostileStagerTest, APartThatCannotBeReadEndsItsReceive) {
  const std::size_t size = kSize;
  void* const shut = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shut, MAP_FAILED);
  std::uint64_t taken = 0;
  for (const std::uint64_t at :
       {std::uint64_t{0}, std::uint64_t{1}, reinterpret_cast<std::uint64_t>(shut),
        std::uint64_t{1} << 47, UINT64_MAX, UINT64_MAX - size}) {
    askFor();
    sayStaged(number_, at, size);
    expectReceiveEnds(UCS_ERR_IO_ERROR);
    EXPECT_EQ(heard(kStagedTaken), ++taken) << at;
  }
  ::munmap(shut, size);
}

/// The parts behind it are thrown away.
TEST_P(HostileStagerTest, APartInTheMiddleThatCannotBeReadIsTheLast) {
  Room& room = askFor(2 * kPart + 100);
  stagePart(number_, 0, kPart);
  sayStaged(number_, 0, kPart);
  expectReceiveEnds(UCS_ERR_IO_ERROR);
  EXPECT_TRUE(std::equal(content_.begin(), content_.begin() + kPart, room.data()));
  const auto sum = room.sum();
  stagePart(number_, 2 * kPart, 100);
  ASSERT_TRUE(until([&] { return heard(kStagedTaken) == 3; }));
  settle();
  EXPECT_EQ(room.sum(), sum);
  expectStays();
  stagePart(number_, 0, 100);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_P(HostileStagerTest, AFailureMaySayAnything) {
  const std::pair<std::uint64_t, ucs_status_t> failures[] = {
      {argumentOf(UCS_ERR_NO_MEMORY), UCS_ERR_NO_MEMORY},
      {argumentOf(UCS_OK), UCS_ERR_IO_ERROR},
      {argumentOf(UCS_INPROGRESS), UCS_ERR_IO_ERROR},
      {argumentOf(UCS_ERR_LAST), UCS_ERR_IO_ERROR},
      {reinterpret_cast<std::uintptr_t>(content_.data()), UCS_ERR_IO_ERROR}};
  for (const auto& [argument, status] : failures) {
    const Room& room = askFor();
    sayStaged(number_, argument, 0);
    expectReceiveEnds(status);
    EXPECT_TRUE(room.isUntouched());
  }
  stagePart(number_, 0, kSize);  // behind its failure
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// That it has not asked for in this way.
TEST_P(HostileStagerTest, PiecesInPlaceOfPartsEndTheLink) {
  Room& room = askFor();
  WireHeader piece = peer_->next(MessageKind::Piece);
  piece.argument = number_;
  piece.length = kSize;
  peer_->send(piece, bytes(100));
  expectLinkEnds(room);
}

TEST_P(HostileStagerTest, APartWithBytesEndsTheLink) {
  Room& room = askFor();
  WireHeader header = peer_->next(MessageKind::Staged);
  header.argument = number_;
  header.endpoint = reinterpret_cast<std::uintptr_t>(content_.data());
  header.length = kSize;
  peer_->send(header, bytes(100));
  expectLinkEnds(room);
}

/// Before it has staged anything, or between two parts.
TEST_P(HostileStagerTest, ThePeersEndEndsTheReceive) {
  for (const bool has_begun : {false, true}) {
    Room& room = askFor(2 * kPart);
    if (has_begun) {
      stagePart(number_, 0, kPart);
      ASSERT_TRUE(until([&] { return heard(kStagedTaken) == 1; }));
    }
    settle();
    EXPECT_FALSE(hasEnded());
    peer_->hangUp();
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    EXPECT_EQ(request().getStatus(), UCS_ERR_CONNECTION_RESET);
    EXPECT_EQ(room.isUntouched(), !has_begun);
    forgetPeer();
    meetPeer();
  }
}

/// What it had staged can no longer be read, since it is gone.
TEST_P(HostileStagerTest, APartOfAPeerThatHasGoneIsItsEnd) {
  const Room& room = askFor();
  sayStaged(number_, 0, kSize);
  peer_->hangUp();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_ERR_CONNECTION_RESET));
  EXPECT_TRUE(room.isUntouched());
}

/// The parts of a receive whose endpoint was closed go nowhere.
TEST_P(HostileStagerTest, LatePartsAreThrownAway) {
  Room& room = post(2 * kPart, [&](Room& own) {
    if (GetParam()) take(own);
    return ends_[0]->tagRecv(own.data(), own.size(), kTag, TagMaskFull);
  });
  number_ = announceOnDevice(2 * kPart);
  ASSERT_TRUE(until([&] { return heard(kStage) == 1; }));
  stagePart(number_, 0, kPart);
  ASSERT_TRUE(until([&] { return heard(kStagedTaken) == 1; }));
  ends_[0]->close();
  EXPECT_TRUE(until([&] { return hasEnded(); }));
  const auto sum = room.sum();
  stagePart(number_, kPart, kPart);
  EXPECT_TRUE(until([&] { return heard(kStagedTaken) == 2; }));
  settle();
  EXPECT_EQ(room.sum(), sum);
  EXPECT_TRUE(isLinked());
}

INSTANTIATE_TEST_SUITE_P(Into, HostileStagerTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "ADevice" : "TheHost"; });

/// An announcement of a device that breaks the rules.
struct BadAnnouncement {
  const char* name;
  MessageKind kind;
  int announces;
  std::size_t length, payload;
};

class HostileAnnouncementTest : public HostileDeviceTest,
                                public testing::WithParamInterface<BadAnnouncement> {};

TEST_P(HostileAnnouncementTest, EndsTheLink) {
  const BadAnnouncement& bad = GetParam();
  const Room& room = receive();
  WireHeader header = next(bad.kind);
  if (bad.kind == MessageKind::Tag) header.argument = kTag;
  header.length = bad.length;
  header.announces = static_cast<std::uint8_t>(bad.announces);
  peer_->send(header, bytes(bad.payload));
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(room.isUntouched());
  EXPECT_EQ(heard(kStage) + heard(kFetchByUcx), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileAnnouncementTest,
    testing::Values(BadAnnouncement{"WithAnAddress", MessageKind::Tag, 2, kPart, 8},
                    BadAnnouncement{"ByHandleWithAnAddress", MessageKind::Tag, 3, kPart, 8},
                    BadAnnouncement{"WithItsBytes", MessageKind::Tag, 2, 100, 100},
                    BadAnnouncement{"OfAnUnknownSort", MessageKind::Tag, 4, kPart, 0},
                    BadAnnouncement{"OfTheLastSort", MessageKind::Tag, 255, kPart, 0},
                    BadAnnouncement{"OfNoBytesInAStream", MessageKind::Stream, 2, 0, 0},
                    BadAnnouncement{"OfAControlMessage", MessageKind::Credit, 2, 0, 0},
                    BadAnnouncement{"OfAPiece", MessageKind::Piece, 2, 100, 0},
                    BadAnnouncement{"OfAStagedPart", MessageKind::Staged, 2, 100, 0},
                    BadAnnouncement{"OfAnAccess", MessageKind::Put, 3, 100, 0}),
    [](const auto& info) { return info.param.name; });

/// @}

}  // namespace
}  // namespace ucxx::core::test
