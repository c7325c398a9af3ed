// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// How a worker is woken by its local peers, and learns which of their rings to look at.
//
//   peer     publishes a record; full fence; is the ring not hot: raises its bit; is the owner
//            asleep: rings, then ends that sleep
//   owner    says that it sleeps; full fence; looks at the hot rings and the bits; finds it
//            nothing: waits for the eventfd
//   owner    takes a bit by exchange; fence; looks at its ring. Says that a ring is no longer hot;
//            fence; looks at it once more
//
// Why no wake-up is lost. Of two sides that each write, fence and read what the other has written,
// at least one sees the other's word. So for a record that the owner's look has missed:
//   (1) the peer saw the ring hot: then the owner said 'not hot' later, and looked behind that;
//   (2) the peer found its bit set: whoever takes the bit looks at the ring behind the fence;
//   (3) the peer set the bit, or the ring was hot, after the look: then it sees the owner asleep
//       and rings, or sees a sleep that another peer has ended. That one rang before it ended it,
//       so the owner wakes; it says that it sleeps again, and looks, before it waits again.
// The owner's fences behind 'asleep' and 'not hot' are foreign ones (base/foreign_fence.h) where
// the system has them, and stand for those of a peer that they reach: a message costs no fence
// then. Several threads of the owner may wait, one after the other: a ring is left to them all, and
// none of them ends the sleep while another waits (core/loop/wake.h). A sleep has a number and is
// ended by compare-and-swap after the ring, not before. So a peer that is stopped or killed in
// between costs nobody a wake-up, and a late one ends no later sleep. A peer that dies between
// publishing and ringing is told by its pidfd. All peers of a worker are of its user, and trusted
// not to take another's bit.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/file_descriptor.h"
#include "base/foreign_fence.h"
#include "base/phase.h"
#include "base/shared_memory.h"
#include "local/ring.h"

namespace ucxx::local {

/// What peers share of a worker. Zeros: awake, no bits.
struct BoardMemory {
  static constexpr std::size_t kSlots = 4096;
  static constexpr std::size_t kSlotsPerWord = 64;
  static constexpr std::size_t kWords = kSlots / kSlotsPerWord;

  static constexpr bool isAsleep(std::uint64_t sleep) noexcept { return (sleep & 1) != 0; }

  alignas(kLineBytes) std::atomic<std::uint64_t> sleep;  ///< 2 * number, + 1 while it lasts
  alignas(kLineBytes) std::atomic<std::uint64_t> summary[kWords];  ///< one bit per peer
};

/// The owner's side. One thread at a time.
class Board {
 public:
  Board();

  /// Before the owner waits for `eventFd`; it must look once more afterwards.
  void announceSleep() noexcept {
    sleep_ += 2;
    memory().sleep.store(sleep_ + 1, std::memory_order_relaxed);
    base::foreignFence();
  }
  /// The owner is awake.
  void endSleep() noexcept { memory().sleep.store(sleep_, std::memory_order_relaxed); }
  /// Takes the rings that were heard; then `eventFd` is not readable until the next.
  void clearRings() noexcept;
  /// Takes the bits of 64 peers, those of slot 64 * `word` and up: whose rings to look at now.
  /// Nothing says that a bit's peer exists.
  std::uint64_t takeSummary(std::size_t word) noexcept {
    auto& bits = memory().summary[word];
    if (bits.load(std::memory_order_relaxed) == 0) return 0;
    const std::uint64_t taken = bits.exchange(0, std::memory_order_acq_rel);
    base::fullFence();
    return taken;
  }

  /// Readable after a ring; never blocks.
  int eventFd() const noexcept { return event_.get(); }
  /// To hand out, with `eventFd`.
  int memoryFd() const noexcept { return shared_.descriptor(); }

 private:
  BoardMemory& memory() const noexcept {
    return *reinterpret_cast<BoardMemory*>(shared_.bytes().data());
  }

  base::SharedMemory shared_;
  base::FileDescriptor event_;
  std::uint64_t sleep_ = 0;
};

/// A peer's side of a board.
class PeerBoard {
 public:
  /// Of the two descriptors that the owner handed out, and the slot that it gave this peer. Throws
  /// if they are not what they should be. Keeps the second one only.
  PeerBoard(base::FileDescriptor memory, base::FileDescriptor event, std::size_t slot);
  /// The owner's foreign fences reach this process: a publish needs none of its own.
  void relyOnForeignFences() noexcept { fenced_ = true; }

  /// After a record was put into `ring`, which leads to the owner.
  [[gnu::always_inline]] void afterPublish(const RingMemory& ring) noexcept {
    base::reached(base::Phase::NotRung);
    fenced_ ? base::orderedByForeignFence() : base::fullFence();
    if (ring.hot.load(std::memory_order_relaxed) == 0) [[unlikely]] {
      base::fullFence();  // whoever takes a bit fences for itself only
      raise();
    }
    ringIfAsleep();
  }
  /// After something else was written that the owner looks at before it sleeps. Any thread.
  void afterStore() noexcept {
    fenced_ ? base::orderedByForeignFence() : base::fullFence();
    ringIfAsleep();
  }
  /// As far as is known now.
  bool isOwnerAsleep() const noexcept {
    return BoardMemory::isAsleep(memory().sleep.load(std::memory_order_relaxed));
  }
  /// Sets this peer's bit: the owner is to look at its ring. After a full fence that follows what
  /// the owner should see.
  void raise() noexcept {
    auto& bits = memory().summary[word_];
    if ((bits.load(std::memory_order_seq_cst) & bit_) == 0)
      bits.fetch_or(bit_, std::memory_order_seq_cst);
  }
  /// At most one system call per sleep of the owner.
  void ringIfAsleep() noexcept {
    base::reached(base::Phase::BellDue);
    const std::uint64_t sleep = memory().sleep.load(std::memory_order_seq_cst);
    if (BoardMemory::isAsleep(sleep)) ring(sleep);
  }

 private:
  BoardMemory& memory() const noexcept {
    return *reinterpret_cast<BoardMemory*>(shared_.bytes().data());
  }
  void ring(std::uint64_t sleep) noexcept;

  base::SharedMemory shared_;
  base::FileDescriptor event_;
  std::size_t word_;
  std::uint64_t bit_;
  bool fenced_ = false;
};

}  // namespace ucxx::local
