// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <chrono>

#include "base/clock.h"
#include "core/loop/loop.h"
#include "core/loop/patience.h"
#include "core/loop/progress_thread.h"
#include "core/loop/sleeper.h"

namespace ucxx::core {

/// How long who waits looks for an answer before it sleeps, if nobody else wants the processor.
inline constexpr base::Duration kSpin = std::chrono::microseconds(50);

/// How long who has looked in vain sleeps; zero: it looks again.
inline base::Duration sleepOf(const Loop& loop, Patience& patience, base::TimePoint now,
                              base::Duration at_most) {
  if (loop.sleeper.isSharing()) return loop.sleeper.napOf(at_most);
  return loop.sleeper.hearsAll() && patience.isOver(now, kSpin) ? at_most : base::Duration();
}

/// Moves `loop` until `isDone()` or `deadline`, unless a progress thread does; sleeps when nothing
/// happens. `sleepBeside(until)` sleeps, until it is done at the latest, while another thread moves
/// the loop; `sleep(at_most)`, until something happens to the loop. True: it is done.
template <class IsDone, class SleepBeside, class Sleep>
bool moveUntil(Loop& loop, base::TimePoint deadline, const IsDone& isDone,
               const SleepBeside& sleepBeside, const Sleep& sleep) {
  Patience& patience = Patience::ofThisThread();
  patience.begin();
  while (!isDone()) {
    if (loop.look()) {
      patience.begin();
      continue;
    }
    const base::TimePoint now = base::Clock::now();
    if (now >= deadline) return isDone();
    // The thread looks up now and then: who owns the loop may leave it.
    const base::TimePoint until = std::min(deadline, now + Sleeper::kLongestNap);
    if (loop.thread.isRunning())
      sleepBeside(until);
    else if (const auto nap = sleepOf(loop, patience, now, until - now); nap.count() != 0)
      sleep(nap);
  }
  return true;
}

}  // namespace ucxx::core
