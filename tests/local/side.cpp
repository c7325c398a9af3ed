// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/side.h"

#include <cstdio>

#include <poll.h>

#include "local/memory.h"

namespace ucxx::local::test {
namespace {

constexpr int kLostAfterMs = 20000;
constexpr std::size_t kRingBytes = RingMemory::bytesFor(Side::kLines);

std::size_t sizeOf(std::uint64_t number) { return number * 11 % 176; }

}  // namespace

Side::Side(std::span<std::byte> memory, bool first, Board& board, PeerBoard& theirs,
           bool foreign_fences)
    : board_(board),
      theirs_(theirs),
      out_(memory.subspan(first ? 0 : kRingBytes, kRingBytes), kLines),
      in_(memory.subspan(first ? kRingBytes : 0, kRingBytes), kLines),
      own_(first ? 1 : 2),
      first_(first) {
  if (!foreign_fences || !base::admitForeignFences()) return;
  theirs_.relyOnForeignFences();
  in_.relyOnForeignFences();
}

bool Side::run(std::uint64_t seed, unsigned long rounds) {
  sim::Random both(seed);
  for (unsigned long round = 0; round < rounds; ++round) {
    const std::size_t count = both.chance(80) ? 1 : both.below(30);
    const bool sends = (round % 2 == 0) == first_;
    if (sends ? sendBurst(count) : receiveBurst(count)) continue;
    std::fprintf(stderr, "lost in round %lu of seed %lu, %s\n", round,
                 static_cast<unsigned long>(seed), sends ? "sending" : "receiving");
    return false;
  }
  return true;
}

bool Side::sendBurst(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!sendOne()) return false;
  }
  return true;
}

bool Side::receiveBurst(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!receiveOne()) return false;
  }
  return true;
}

bool Side::tryPut() {
  const auto payload = content(sent_, sizeOf(sent_));
  if (!out_.put(bytesOf(sent_), payload.data(), payload.size())) return false;
  ++sent_;
  theirs_.afterPublish(out_.memory());
  return true;
}

bool Side::sendOne() {
  while (!tryPut()) {
    out_.announceWaiting();
    if (tryPut()) break;
    if (!waitFor([&] { return isHeard(); })) return false;
  }
  return true;
}

bool Side::receiveOne() {
  if (!waitFor([&] { return isRecordHere(); })) return false;
  const auto record = in_.peek();
  const bool right = valueOf<std::uint64_t>(record->header) == received_ &&
                     equal(record->payload, content(received_, sizeOf(received_)));
  in_.pop();
  ++received_;
  return right;
}

bool Side::isHeard() { return board_.takeSummary(kSlot / 64) != 0 && (heard_ = true); }

bool Side::isRecordHere() {
  if (!hot_ && !heard_ && !isHeard()) return false;
  if (in_.peek()) return true;
  heard_ = false;
  if (hot_ && own_.below(5000) == 0) {
    in_.setHot(hot_ = false);
    if (in_.peek()) return heard_ = true;
  }
  return false;
}

void Side::freeRoom() {
  if (!in_.release()) return;
  theirs_.raise();
  theirs_.ringIfAsleep();
}

// Mostly it waits awake, since two that only wake each other never meet; and else it goes to sleep
// at any moment around the peer's answer.
std::size_t Side::patience() { return own_.chance(70) ? 50000 : own_.below(400); }

template <class Condition>
bool Side::waitFor(Condition condition) {
  if (!hot_ && own_.chance(10)) in_.setHot(hot_ = true);
  for (std::size_t looks = patience(); looks > 0; --looks) {
    if (condition()) return true;
  }
  for (;;) {
    freeRoom();
    board_.announceSleep();
    const bool found = condition();
    pollfd bell{board_.eventFd(), POLLIN, 0};
    if (!found && ::poll(&bell, 1, kLostAfterMs) == 0) return false;
    board_.endSleep();
    if (found) return true;
    board_.clearRings();
  }
}

}  // namespace ucxx::local::test
