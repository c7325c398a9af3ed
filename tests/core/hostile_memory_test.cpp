// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that writes nonsense where it and a worker share memory: rings, boards,
// bells, and all of it at random.

#include <sys/eventfd.h>

#include "core/bulk_memory.h"
#include "core/hostile_local.h"
#include "sim/random.h"

namespace ucxx::core::test {
namespace {

using local::RingFlag;

/// What this peer has said before is one line: the next record begins with the second.
class HostileRingTest : public HostileLocalTest {
 protected:
  static constexpr std::uint32_t kMark = 1;  // of the first lap

  local::RingShape ring() const { return {peer_->ownRing(), local::RingMemory::kDefaultLines}; }
  void writeFlag(std::size_t line, std::uint64_t flag) {
    ring().flag(line).store(flag, std::memory_order_release);
  }
  static constexpr std::uint64_t padOf(std::uint32_t mark) {
    return RingFlag::make(mark, RingFlag::kPad, 0);
  }
  /// Says so much that the next record begins there.
  void advanceTo(std::size_t line) {
    for (std::size_t at = 1; at < line; ++at) {
      peer_->say(MessageKind::Credit);
      if (at % 64 == 0) progress();
    }
    settle();
  }
};

class HostileFlagTest : public HostileRingTest,
                        public testing::WithParamInterface<std::uint64_t> {};

TEST_P(HostileFlagTest, EndsTheLink) {
  writeFlag(1, GetParam());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileFlagTest,
    testing::Values(1, UINT64_MAX >> 1, RingFlag::make(3, 40, 0), RingFlag::make(2, 40, 0),
                    RingFlag::make(1, 0, 0), RingFlag::make(1, 39, 0), RingFlag::make(1, 40, 0),
                    RingFlag::make(1, 40, 0x1ffff), RingFlag::make(1, 40, 32'768),
                    RingFlag::make(1, RingFlag::kPad - 1, 0),
                    RingFlag::make(1, RingFlag::kPad - 1, 0x1ffff),
                    RingFlag::make(1, RingFlag::kPad, 0), RingFlag::make(1, RingFlag::kPad, 7)),
    [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST_F(HostileRingTest, PadToNothingEndsTheLink) {
  advanceTo(2000);
  writeFlag(2000, padOf(kMark));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRingTest, PadToAPadEndsTheLink) {
  advanceTo(2000);
  writeFlag(0, padOf(kMark + 2));
  writeFlag(2000, padOf(kMark));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileRingTest, RecordPastTheEndEndsTheLink) {
  advanceTo(2000);
  writeFlag(2000, RingFlag::make(kMark, 40, 4000));
  expectEnds(UCS_ERR_INVALID_PARAM);
}

/// Bytes that are no header.
class HostileHeaderTest : public HostileLocalTest, public testing::WithParamInterface<int> {
 protected:
  std::vector<std::byte> header() {
    WireHeader header = peer_->next(MessageKind::Credit);
    if (GetParam() == 0) header.kind = MessageKind{0};
    if (GetParam() == 1) header.kind = MessageKind{kLastMessageKind + 1};
    if (GetParam() == 2) header.kind = MessageKind{255};
    if (GetParam() == 3) header.sender_opened = 2;
    if (GetParam() == 4) header.announces = 2;
    if (GetParam() >= 6) header.kind = MessageKind::Am;
    const auto raw = std::as_bytes(std::span(&header, 1));
    std::vector<std::byte> all(raw.begin(), raw.end());
    if (GetParam() == 5) all.resize(all.size() - 1);
    if (GetParam() == 7) all.resize(all.size() + 16, std::byte{0xff});  // for a prologue
    return all;
  }
};

TEST_P(HostileHeaderTest, EndsTheLink) {
  peer_->sendBytes(header());
  expectEnds(UCS_ERR_INVALID_PARAM);
}

INSTANTIATE_TEST_SUITE_P(All, HostileHeaderTest, testing::Range(0, 8));

/// How much of the worker's bulk ring this peer says that it has freed; or of its ring, where the
/// bulk ring has no memory.
class HostileConsumedTest : public HostileLocalTest, public testing::WithParamInterface<bool> {
 protected:
  static constexpr std::size_t kMuch = 3 << 20;

  void SetUp() override {
    setBulkMemory(GetParam());
    HostileLocalTest::SetUp();
  }
  void TearDown() override {
    HostileLocalTest::TearDown();
    setBulkMemory(true);
  }
  /// Reads nothing any more, and asks for more than the ring holds.
  void fillRing() {
    const std::uint64_t number = send(kMuch);
    peer_->reads = false;
    peer_->say(MessageKind::Fetch, number);
  }
  void say(std::uint64_t consumed) {
    local::RingMemory& ring = peer_->workersRing();
    (GetParam() ? ring.bulk_consumed : ring.consumed) = consumed;
  }
  std::uint64_t most() const {
    return GetParam() ? local::choices::kBulkBytes : local::RingMemory::kDefaultLines;
  }
};
INSTANTIATE_TEST_SUITE_P(Rings, HostileConsumedTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Bulk" : "Records"; });

TEST_P(HostileConsumedTest, MoreThanThereWasEndsTheLink) {
  fillRing();
  say(UINT64_MAX);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(hasEnded());
}

TEST_P(HostileConsumedTest, ALineMoreThanThereWasEndsTheLink) {
  fillRing();
  settle();
  say(most() + 64);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_P(HostileConsumedTest, LessThanBeforeEndsTheLink) {
  peer_->say(MessageKind::Fetch, send(kMuch));
  ASSERT_TRUE(until([&] { return hasEnded(); }));
  fillRing();
  say(0);
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_P(HostileConsumedTest, NothingHoldsUpItsOwnSendsOnly) {
  fillRing();
  settle();
  EXPECT_FALSE(hasEnded());
  expectStays();
}

/// Words that tell who sleeps, who polls, and who waits.
class HostileBoardTest : public HostileLocalTest {
 protected:
  void scribble(std::uint64_t seed) {
    sim::Random random(seed);
    local::BoardMemory& board = peer_->workersBoard();
    board.sleep = random.next();
    for (auto& word : board.summary) word = random.chance(50) ? UINT64_MAX : random.next();
    auto& own = reinterpret_cast<local::RingMemory&>(peer_->ownRing().front());
    for (local::RingMemory* ring : {&own, &peer_->workersRing()}) {
      ring->hot = static_cast<std::uint32_t>(random.below(3));
      ring->waiting = static_cast<std::uint32_t>(random.next());
    }
  }
  /// As full as it can be.
  void fillBell() {
    eventfd_t heard = 0;
    (void)::eventfd_read(peer_->workersBell(), &heard);
    EXPECT_EQ(::eventfd_write(peer_->workersBell(), UINT64_MAX - 1), 0);
  }
};

TEST_F(HostileBoardTest, NonsenseCostsAWorkerThatPollsNothing) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    scribble(seed);
    fillBell();
    expectStays();
    if (seed % 10 == 0) expectHonestTalk();
  }
}

TEST_F(HostileBoardTest, RingsWithoutEndLetAWorkerHearOthers) {
  worker_->initBlockingProgressMode();
  for (int i = 0; i < 50; ++i) {
    for (auto& word : peer_->workersBoard().summary) word = UINT64_MAX;
    fillBell();
    int in = 0;
    const auto receive = worker_->tagRecv(&in, sizeof in, Tag{i + 1000u}, TagMaskFull);
    const auto sent = from_honest_->tagSend(&i, sizeof i, Tag{i + 1000u});
    const compat::Deadline deadline;
    while (!receive->isCompleted() && deadline) worker_->progressWorkerEvent(1000);
    ASSERT_TRUE(receive->isCompleted() && sent->isCompleted());
    EXPECT_EQ(in, i);
  }
}

/// Asks for answers, and takes none.
TEST_F(HostileLocalTest, DeafNeighbourHasNoMoreThanItsShare) {
  AmPrologue prologue;
  peer_->reads = false;
  for (int i = 0; i < 300'000 && isLinked(); ++i) {
    WireHeader header = peer_->next(MessageKind::Am);
    header.endpoint = 1'000'000;  // nobody's
    header.announces = 1;
    header.length = kSize;
    while (isLinked() && !peer_->trySendBytes(writeAmHeader(header, prologue))) progress();
  }
  expectEnds(UCS_ERR_NO_MEMORY);
}

TEST_F(HostileLocalTest, BrokenNeighbourMayComeAgain) {
  peer_->say(MessageKind::Fetch, 1);
  expectEnds(UCS_ERR_INVALID_PARAM);
  meetPeer();
  expectStays();
}

}  // namespace
}  // namespace ucxx::core::test
