// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "local/bell.h"
#include "local/ring.h"
#include "sim/random.h"

namespace ucxx::local::test {

/// One worker of two, as the core will be: a ring out, a ring in, its own board and the peer's. It
/// looks at a ring only when it is hot or its bit was raised, so a bit that is lost is a hang, and
/// it sleeps as soon as it finds nothing, so a ring that is lost is one, too.
class Side {
 public:
  static constexpr std::size_t kLines = 16;  // few, so that producers wait
  static constexpr std::size_t kMemoryBytes = 2 * RingMemory::bytesFor(kLines);
  static constexpr std::size_t kSlot = 4095;

  /// `memory` holds both rings; `first`: which of them leads out.
  /// With foreign fences, where the system has them: for the other side, too.
  Side(std::span<std::byte> memory, bool first, Board& board, PeerBoard& theirs,
       bool foreign_fences);

  /// Sends and receives bursts in turn; how large they are follows from `seed`, which both sides
  /// share. False: a wake-up was lost, or a record was not what it should be.
  bool run(std::uint64_t seed, unsigned long rounds);

 private:
  bool sendBurst(std::size_t count);
  bool receiveBurst(std::size_t count);
  bool sendOne();
  bool receiveOne();
  bool tryPut();
  bool isRecordHere();
  bool isHeard();
  void freeRoom();
  std::size_t patience();
  template <class Condition>
  bool waitFor(Condition condition);

  Board& board_;
  PeerBoard& theirs_;
  Producer out_;
  Consumer in_;
  sim::Random own_;  // what the peer need not know
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  bool first_;
  bool hot_ = false;
  bool heard_ = false;
};

}  // namespace ucxx::local::test
