// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <ucs/type/status.h>

#include "base/clock.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {

/// An operation that has ended.
struct EndedOperation {
  std::uint64_t tag = 0;       // of a one-sided operation, the offset
  std::uint64_t endpoint = 0;  // its key; 0: of none
  std::uint64_t length = 0;    // what came, of a receive that got something
  OperationKind kind = OperationKind::TagSend;
  ucs_status_t status = UCS_OK;
  base::TimePoint since, until;  // what it took: about a millisecond; when: 17
};

/// The last operations of a loop that have ended, but for those that did so in the call that posted
/// them; those that have not ended are on its lists. It costs a receive of 8 bytes 42 instructions,
/// 4 ns (what ends in its call would pay as much); its times are those that the loop knows anyway.
class History {
 public:
  static constexpr std::size_t kSize = 256;

  [[gnu::always_inline]] void add(const EndedOperation& op) noexcept {
    Entry& entry = entries_[count_++ % kSize];
    entry.tag = op.tag;
    entry.endpoint = op.endpoint;
    entry.length_low = static_cast<std::uint32_t>(op.length);
    entry.length_high = static_cast<std::uint16_t>(op.length >> 32);
    entry.kind = op.kind;
    entry.status = static_cast<std::int8_t>(op.status);
    entry.took = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>((op.until - op.since).count() >> kTookBits, 0, UINT32_MAX));
    entry.until = ticksOf(op.until);
  }
  /// Ever noted.
  std::uint64_t count() const noexcept { return count_; }
  /// Calls `each` with those that are kept, the oldest first. `now` tells the laps of their clock
  /// apart.
  template <class Each>
  void visit(base::TimePoint now, Each each) const {
    for (std::uint64_t i = count_ - std::min<std::uint64_t>(count_, kSize); i != count_; ++i) {
      const Entry& entry = entries_[i % kSize];
      EndedOperation op;
      op.tag = entry.tag;
      op.endpoint = entry.endpoint;
      op.length = std::uint64_t{entry.length_high} << 32 | entry.length_low;
      op.kind = entry.kind;
      op.status = static_cast<ucs_status_t>(entry.status);
      op.until = timeOf(entry.until, now);
      op.since = op.until - base::Duration(std::int64_t{entry.took} << kTookBits);
      each(op);
    }
  }

 private:
  struct alignas(32) Entry {
    std::uint64_t tag, endpoint;
    std::uint32_t length_low;
    std::uint16_t length_high;
    OperationKind kind;
    std::int8_t status;
    std::uint32_t took, until;
  };
  static_assert(sizeof(Entry) == 32 && UCS_ERR_LAST >= INT8_MIN);
  static constexpr unsigned kTookBits = 20;   // of nanoseconds: 1.05 ms, up to 52 days
  static constexpr unsigned kUntilBits = 24;  // 17 ms, up to 2.2 years ago
  /// A tick of the clock that a loop has read may be younger than `now`.
  static constexpr std::uint32_t kMostAhead = 1 << 8;

  static std::uint32_t ticksOf(base::TimePoint time) noexcept {
    return static_cast<std::uint32_t>(time.time_since_epoch().count() >> kUntilBits);
  }
  static base::TimePoint timeOf(std::uint32_t ticks, base::TimePoint now) noexcept {
    const std::uint32_t age = std::max(ticksOf(now) - ticks + kMostAhead, kMostAhead) - kMostAhead;
    return now - base::Duration(std::int64_t{age} << kUntilBits);
  }

  std::uint64_t count_ = 0;
  std::array<Entry, kSize> entries_;
};

}  // namespace ucxx::core
