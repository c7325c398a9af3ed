// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/list.h"
#include "core/condition/armed.h"
#include "core/condition/triggered_condition.h"
#include "core/loop/loop.h"
#include "core/loop/rooms.h"
#include "core/loop/watch.h"

namespace ucxx::core {

/// The conditions of one worker: which of them the loop looks at, and how it sleeps meanwhile. Only
/// their triggers and ends are here: what has started is an operation like all others.
class Conditions final : public Watched {
 public:
  explicit Conditions(Loop& loop) noexcept;

  /// `condition` has its first operation. Throws `std::bad_alloc`, and nothing has happened.
  void add(TriggeredCondition& condition);
  /// `condition` is over.
  void remove(TriggeredCondition& condition) noexcept;

  /// Looks at words that are written without a call, and at starts that were left for this round.
  bool look() noexcept override;
  bool maySleep() noexcept override;
  bool changesInSilence() const noexcept override { return !watched_.empty() || !streams_.empty(); }
  void becomeDue(TriggeredCondition& condition) noexcept;

  /// @name Deadlines of operations
  /// @{
  void setDeadline(Armed& armed) noexcept;
  void removeDeadline(Armed& armed) noexcept;
  void onTime() noexcept;
  /// @}

  /// The worker ends: so does what is armed.
  void end() noexcept;
  /// Those alone that a device triggers.
  void endThoseOfDevices() noexcept;

 private:
  /// Beside each other, so that a round reads few lines.
  struct WatchedWord {
    const std::atomic<std::uint64_t>* word;
    std::uint64_t seen;
    TriggeredCondition* condition;
    bool hasChanged() noexcept {
      const std::uint64_t value = word->load(std::memory_order_acquire);
      return std::exchange(seen, value) != value;
    }
    /// A kernel of a condition that had the word before may make it less, late.
    bool hasGrown() noexcept {
      const std::uint64_t value = word->load(std::memory_order_acquire);
      if (static_cast<std::int64_t>(value - seen) <= 0) return false;
      seen = value;
      return true;
    }
  };
  /// The places of a stream, each of which it reaches once, in the order in which the loop heard of
  /// them. For the posts of one thread that is the order of the stream.
  struct WatchedStream {
    std::uint64_t stream;
    std::deque<WatchedWord> places;
  };
  void addPlace(std::uint64_t stream, const WatchedWord& place);
  void dropStreamsWithoutPlaces() noexcept;
  void endOne(TriggeredCondition& condition) noexcept;
  void pollWords() noexcept;
  void pollStreams() noexcept;
  void notice(const WatchedWord& place) noexcept;
  void noticeAllOf(WatchedStream& stream) noexcept;

  Loop& loop_;
  base::List<TriggeredCondition, &TriggeredCondition::node> all_;
  base::List<TriggeredCondition, &TriggeredCondition::due_node> due_;
  base::List<Armed, &Armed::timed_node> timed_;
  base::TimePoint next_deadline_ = base::TimePoint::max();  // of these, or earlier
  std::vector<WatchedWord> watched_;
  std::vector<WatchedStream> streams_;  // that have places
  unsigned looks_ = 0;                  // at the first place of each stream, between two at all
};

inline Conditions& conditionsOf(const Loop& loop) noexcept { return *loop.rooms.conditions; }

}  // namespace ucxx::core
