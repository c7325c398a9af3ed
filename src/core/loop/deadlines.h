// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "core/loop/act.h"

namespace ucxx::core {

class Deadlines;

/// A time at which something is to be done, and what: a member of the object that does it, which
/// says how when it makes it. An object that goes takes its deadlines with it. Touched by the owner
/// of the loop alone.
///
///     Deadline close_{loop.deadlines, *this, [](EndpointState& it) { it.closeByForce(); }};
class Deadline {
 public:
  /// `act` is called as `act(object)`, and captures nothing.
  template <class Object, class Function>
  Deadline(Deadlines& all, Object& object, Function act) noexcept : all_(all), act_(object, act) {}
  ~Deadline() { clear(); }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// From now on it is due at `when`, and at no other time; `TimePoint::max()` is never.
  void set(base::TimePoint when) noexcept;
  /// From now on it is due at `when`, unless it is due before.
  void setNoLater(base::TimePoint when) noexcept {
    if (when < when_) set(when);
  }
  void clear() noexcept;
  bool isSet() const noexcept { return place_ != nullptr; }
  /// `TimePoint::max()` while it is not set.
  base::TimePoint when() const noexcept { return when_; }

 private:
  friend class Deadlines;

  Deadlines& all_;
  const Act act_;
  base::TimePoint when_ = base::TimePoint::max();
  std::uint64_t order_ = 0;  // in which they were set
  // A node of a pairing heap: none of `child_` and those that follow it is due before this.
  Deadline* child_ = nullptr;
  Deadline* next_ = nullptr;
  Deadline** place_ = nullptr;  // what points to it; null: it is not set
};

/// All deadlines of a loop, earliest first, and those of one time in the order in which they were
/// set. They are nodes of a pairing heap (Fredman, Sedgewick, Sleator and Tarjan, 1986): to set one
/// that was not set takes constant time, to clear one, or to act, O(log n) on average.
class Deadlines {
 public:
  Deadlines() = default;
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;

  /// `TimePoint::max()`: none is set.
  base::TimePoint next() const noexcept {
    return first_ == nullptr ? base::TimePoint::max() : first_->when_;
  }
  /// Clears each that is due at `now`, earliest first, and acts. What is set meanwhile is not due
  /// before the next call. Throws what an act throws; those that follow are due still.
  void onTime(base::TimePoint now);

 private:
  friend class Deadline;
  static Deadline& join(Deadline& one, Deadline& other) noexcept;
  static void hang(Deadline& deadline, Deadline*& place) noexcept;
  void insert(Deadline& deadline) noexcept;
  void remove(Deadline& deadline) noexcept;

  Deadline* first_ = nullptr;
  std::uint64_t last_order_ = 0;
  base::TimePoint not_before_ = base::TimePoint::min();  // while it acts: for what is set
};

}  // namespace ucxx::core
