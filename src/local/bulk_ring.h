// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Beside a ring of records (ring.h), one direction of a channel has room for payloads that are too
// large for those: the bulk ring. Its producer writes a fragment of a payload there, and then a
// record whose payload is a note: how long the fragment is, and how it was written. Records are
// taken in their order, so the fragments are freed in theirs, and both sides know without a word
// where the next one lies: behind the last one, from the beginning of a line, never around the end.
//
// It is large: lines that were written have left the second-level cache of the core that wrote them
// by the time they are read a lap later, and come from the third level. Through a ring that this
// cache holds, payloads take two to three times as long between near cores.
//
// Its pages cost nothing before they are used: the producer gives them their memory part by part,
// and takes it away after a while of silence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/shared_memory.h"
#include "local/ring.h"
#include "local/way.h"

namespace ucxx::local {

/// What the record of a fragment says of it: one word.
struct BulkNote {
  std::size_t bytes = 0;
  Way way = Way::Cached;     ///< Cached or Streaming
  std::uint32_t cycles = 0;  ///< what it took to write, if that was measured

  std::uint64_t word() const noexcept {
    return bytes | static_cast<std::uint64_t>(way) << kWayShift |
           std::uint64_t{cycles} << kCyclesShift;
  }
  static BulkNote read(std::uint64_t word) noexcept {
    const bool streams = (word >> kWayShift & 1) != 0;
    return {word & ((std::uint64_t{1} << kWayShift) - 1), streams ? Way::Streaming : Way::Cached,
            static_cast<std::uint32_t>(word >> kCyclesShift)};
  }

 private:
  static constexpr unsigned kWayShift = 24;
  static constexpr unsigned kCyclesShift = 32;
};

/// The end that writes. One thread at a time.
class BulkProducer {
 public:
  static constexpr std::size_t kBytes = choices::kBulkBytes;
  static constexpr std::size_t kMostFragment = choices::kMostFragment;

  /// `part` of a segment whose pages are not there yet; `control` of the ring beside it.
  BulkProducer(RingMemory& control, base::SharedMemory& segment, std::size_t part) noexcept
      : control_(control), segment_(segment), part_(part) {}

  /// Room, and memory, for a payload in fragments that are as long as each other, but for the last.
  /// One of them may be moved to the beginning of the ring.
  bool hasRoomFor(std::size_t size) noexcept {
    return isFree(head_ + size + kMostFragment + kLineBytes);
  }
  /// The same for one fragment of 1 to `kMostFragment` bytes.
  bool hasRoomForFragment(std::size_t size) noexcept { return isFree(endOfNext(size)); }
  /// Copies a fragment for which there is room.
  void write(const void* payload, std::size_t size, Way way) noexcept;
  /// It has memory, or has not failed to get some lately.
  bool isUsable() const noexcept { return !lacks_memory_ && !is_unsupported_; }
  /// Whether the consumer wrote what no consumer writes; for ever.
  bool isBroken() const noexcept { return broken_; }
  /// Gives the memory back if nothing was written since the last call, and all of it is consumed;
  /// if there was none to be had, it is tried again. True: there is some.
  bool keepIfUsed() noexcept;
  /// ... which is to be called after a while.
  bool needsLook() const noexcept { return hasMemory() || lacks_memory_; }
  bool hasMemory() const noexcept { return populated_end_ != populated_begin_; }

 private:
  /// All before this position.
  bool isFree(std::uint64_t end) noexcept {
    return (end <= limit_ || (readConsumed() && end <= limit_)) &&
           (end <= populated_end_ || populate(end));
  }
  std::uint64_t endOfNext(std::size_t size) const noexcept;
  bool readConsumed() noexcept;
  bool populate(std::uint64_t end) noexcept;

  RingMemory& control_;
  base::SharedMemory& segment_;
  const std::size_t part_;
  // Bytes since the start, as all positions.
  std::uint64_t head_ = 0;
  std::uint64_t limit_ = kBytes;  // what was last seen of consumed, and the ring's bytes
  std::uint64_t head_at_look_ = 0;
  std::uint64_t populated_begin_ = 0;
  std::uint64_t populated_end_ = 0;  // all of the ring: at most
  bool lacks_memory_ = false;        // for now
  bool is_unsupported_ = false;      // by the kernel
  bool broken_ = false;
};

/// The end that reads. One thread at a time.
class BulkConsumer {
 public:
  BulkConsumer(RingMemory& control, std::span<const std::byte> bytes) noexcept
      : control_(control), bytes_(bytes) {}

  /// Where the next fragment lies; null: nobody writes such a note.
  const std::byte* find(const BulkNote& note) noexcept;
  /// Frees it.
  void pop() noexcept { tail_ = next_; }
  /// The producer learns what was freed. Before the ring's own `consumed`.
  void publish() noexcept {
    if (published_ == tail_) return;
    published_ = tail_;
    control_.bulk_consumed.store(tail_, std::memory_order_release);
  }
  /// A quarter of it was freed and not published.
  bool isQuarterFree() const noexcept { return tail_ - published_ >= bytes_.size() / 4; }

 private:
  RingMemory& control_;
  std::span<const std::byte> bytes_;
  std::uint64_t tail_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t published_ = 0;
};

}  // namespace ucxx::local
