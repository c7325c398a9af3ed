// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <list>

#include "base/clock.h"
#include "door/door.h"

namespace ucxx::door {

/// The established connections of a door, and the beats of those that expect something. A
/// connection begins to beat 250 ms after it first expects, and stops when a whole period went by
/// without: so requests that come and go in microseconds cost a flag each, and no system call.
class Heartbeats {
 public:
  using Member = Connection::Impl;

  ~Heartbeats();
  void join(Member& member);
  void leave(Member& member) noexcept;
  void start(Member& member) noexcept;

  base::TimePoint nextDeadline() const noexcept;
  void onTime(base::TimePoint now) noexcept;

 private:
  void beat(Member& member, base::TimePoint now) noexcept;
  void rest(Member& member) noexcept;

  std::list<Member*> resting_;
  std::list<Member*> beating_;  // the next to beat first: all have the same period
};

}  // namespace ucxx::door
