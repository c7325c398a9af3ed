// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/bell.h"

#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <ucxx/exception.h>

#include "local/memory.h"
#include "local/peer.h"
#include "local/side.h"

namespace ucxx::local::test {
namespace {

base::FileDescriptor copyOf(int descriptor) {
  return base::FileDescriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

PeerBoard peerOf(const Board& board, std::size_t slot) {
  return {copyOf(board.memoryFd()), copyOf(board.eventFd()), slot};
}

bool isRung(const Board& board) {
  pollfd bell{board.eventFd(), POLLIN, 0};
  return ::poll(&bell, 1, 0) == 1;
}

TEST(BellTest, OnlyASleeperIsRung) {
  Board board;
  PeerBoard peer = peerOf(board, 0);
  peer.ringIfAsleep();
  EXPECT_FALSE(isRung(board));
  board.announceSleep();
  board.endSleep();
  peer.ringIfAsleep();
  EXPECT_FALSE(isRung(board));
  board.announceSleep();
  peer.ringIfAsleep();
  EXPECT_TRUE(isRung(board));
}

TEST(BellTest, OneRingPerSleep) {
  Board board;
  PeerBoard one = peerOf(board, 0);
  PeerBoard other = peerOf(board, 1);
  board.announceSleep();
  one.ringIfAsleep();
  board.clearRings();
  one.ringIfAsleep();
  other.ringIfAsleep();
  EXPECT_FALSE(isRung(board));
  board.endSleep();
  board.announceSleep();
  other.ringIfAsleep();
  EXPECT_TRUE(isRung(board));
}

TEST(BellTest, ClearingNoRingDoesNotBlock) {
  Board board;
  board.clearRings();
}

TEST(BellTest, RingAtAFullCounterDoesNotBlock) {
  Board board;
  PeerBoard peer = peerOf(board, 0);
  const std::uint64_t most = UINT64_MAX - 1;
  ASSERT_EQ(::write(board.eventFd(), &most, sizeof most), 8);
  board.announceSleep();
  peer.ringIfAsleep();
  EXPECT_TRUE(isRung(board));
}

TEST(BellTest, EachPeerHasItsBit) {
  Board board;
  for (const std::size_t slot : {0u, 1u, 63u, 64u, 4095u}) {
    PeerBoard peer = peerOf(board, slot);
    peer.raise();
    peer.raise();
    EXPECT_EQ(board.takeSummary(slot / 64), std::uint64_t{1} << slot % 64);
    for (std::size_t word = 0; word < BoardMemory::kWords; ++word) {
      EXPECT_EQ(board.takeSummary(word), 0u);
    }
  }
  PeerBoard(peerOf(board, 4)).raise();
  PeerBoard(peerOf(board, 7)).raise();
  EXPECT_EQ(board.takeSummary(0), 0x90u);
}

TEST(BellTest, HotRingNeedsNoBit) {
  Board board;
  PeerBoard peer = peerOf(board, 5);
  Ring ring(16);
  ring.consumer.setHot(true);
  board.announceSleep();
  peer.afterPublish(ring.producer.memory());
  EXPECT_EQ(board.takeSummary(0), 0u);
  EXPECT_TRUE(isRung(board));
  ring.consumer.setHot(false);
  peer.afterPublish(ring.producer.memory());
  EXPECT_EQ(board.takeSummary(0), 32u);
}

std::string refusal(base::FileDescriptor memory, base::FileDescriptor event, std::size_t slot) {
  try {
    const PeerBoard board(std::move(memory), std::move(event), slot);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BellTest, WhatAPeerHandsOutIsChecked) {
  const Board board;
  const auto memory = [&] { return copyOf(board.memoryFd()); };
  const auto event = [&] { return copyOf(board.eventFd()); };
  const auto says = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_EQ(refusal(memory(), event(), 4095), "accepted");
  EXPECT_TRUE(says(refusal(memory(), event(), 4096), "no slot 4096"));
  EXPECT_TRUE(says(refusal(memory(), memory(), 0), "not an eventfd"));
  EXPECT_TRUE(says(refusal(event(), event(), 0), "not a memfd"));
  EXPECT_TRUE(says(refusal(memory(), base::FileDescriptor(), 0), "bell of a peer"));
  base::FileDescriptor blocking(::eventfd(0, EFD_CLOEXEC));
  EXPECT_TRUE(says(refusal(memory(), std::move(blocking), 0), "the eventfd blocks"));
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const base::FileDescriptor reads(ends[0]);
  EXPECT_TRUE(says(refusal(memory(), base::FileDescriptor(ends[1]), 0), "not an eventfd"));
  const auto other = base::SharedMemory::create(4096);
  EXPECT_TRUE(says(refusal(copyOf(other.descriptor()), event(), 0), "4096 bytes, not"));
}

// One mapping for both, so that ThreadSanitizer sees what they share.
void expectNoneIsLost(bool foreign_fences) {
  const auto memory = base::SharedMemory::create(Side::kMemoryBytes);
  Board boards[2];
  PeerBoard peers[2] = {peerOf(boards[0], Side::kSlot), peerOf(boards[1], Side::kSlot)};
  bool second = false;
  std::thread other([&] {
    second =
        Side(memory.bytes(), false, boards[1], peers[0], foreign_fences).run(1, litmusRounds());
  });
  EXPECT_TRUE(
      Side(memory.bytes(), true, boards[0], peers[1], foreign_fences).run(1, litmusRounds()));
  other.join();
  EXPECT_TRUE(second);
}

TEST(BellTest, ThreadsLoseNoWakeUp) { expectNoneIsLost(false); }

TEST(BellTest, ThreadsLoseNoWakeUpWithForeignFences) { expectNoneIsLost(true); }

TEST(BellTest, ProcessesLoseNoWakeUp) {
  const auto memory = base::SharedMemory::create(Side::kMemoryBytes);
  Board board;
  Peer peer("answer");
  for (const int fd : {memory.descriptor(), board.memoryFd(), board.eventFd()}) {
    sendDescriptor(peer.socket(), fd);
  }
  base::FileDescriptor their_memory = receiveDescriptor(peer.socket());
  PeerBoard theirs(std::move(their_memory), receiveDescriptor(peer.socket()), Side::kSlot);
  EXPECT_TRUE(Side(memory.bytes(), true, board, theirs, true).run(1, litmusRounds()));
  EXPECT_EQ(peer.wait(), 0);
}

}  // namespace
}  // namespace ucxx::local::test
