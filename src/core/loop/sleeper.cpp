// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/sleeper.h"

#include <algorithm>
#include <ctime>

#include <poll.h>

#include "base/phase.h"
#include "base/phases.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/owner.h"
#include "core/loop/patience.h"

namespace ucxx::core {
namespace {

/// Negative: without a limit.
void pollFor(int fd, base::Duration at_most) noexcept {
  pollfd waiting{fd, POLLIN, 0};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at_most);
  const timespec limit{static_cast<std::time_t>(seconds.count()),
                       static_cast<long>(std::chrono::nanoseconds(at_most - seconds).count())};
  ::ppoll(&waiting, 1, at_most.count() < 0 ? nullptr : &limit, nullptr);
}

}  // namespace

Sleeper::Sleeper(Loop& loop, base::Poller& poller, Wake& wake)
    : loop_(loop), poller_(poller), wake_(wake) {}

/// `may()` is asked when others can see that this thread sleeps.
template <class May>
bool Sleeper::sleepIf(base::Duration at_most, May may) {
  bool slept = false;
  {
    std::optional<Wake::Waiter> waiter;
    slept = armFor(waiter) && may();
    if (slept) {
      base::reached(base::Phase::SleepBegins);
      pollFor(poller_.fd(), at_most);
    }
  }
  const Loop::Visit entry(loop_);
  if (!entry.isOwner()) return slept;  // another thread has taken over, and looks itself
  loop_.endSleep();
  if (slept) loop_.wokeUp();
  return slept;
}

bool Sleeper::sleep(base::Duration at_most) {
  return sleepIf(at_most, [] { return true; });
}

void Sleeper::sleepUnless(const std::function<bool()>& isDone, base::Duration at_most) {
  sleepIf(at_most, [&] { return !isDone(); });
}

bool Sleeper::sleepUnlessEnded(base::Duration at_most) {
  bool ended = false;
  sleepIf(at_most, [&] {
    // Another thread may have ended a request after its caller had looked and before it could see
    // that somebody sleeps.
    ended = takeUnseenEnd();
    return !ended;
  });
  return ended;
}

bool Sleeper::takeUnseenEnd() noexcept {
  // Some are counted twice; that costs a look.
  return unseen_ends_.take(loop_.counters.ended.value() +
                           loop_.counters.inline_completions.value());
}

bool Sleeper::arm() {
  const Loop::Visit entry(loop_);
  // The owner may be about to leave: look again. In a callback the round goes on after it.
  return entry.isOwner() && !entry.isNested() && armOwned();
}

bool Sleeper::armOwned() {
  loop_.readClock();
  loop_.watchExpecting();
  wake_.announceSleep();
  if (loop_.isQuiet()) {
    timer_.set(loop_.nextLook());
    return true;
  }
  // UCX is not armed any more, and what made its descriptor ready may be gone: a thread that sleeps
  // on it has perhaps not looked yet.
  if (!loop_.endSleep()) wake_.ringOthers();
  return false;
}

/// For a thread that sleeps itself: others leave the ring to it from then on.
bool Sleeper::armFor(std::optional<Wake::Waiter>& waiter) {
  const Loop::Visit entry(loop_);
  if (!entry.isOwner() || !armOwned()) return false;
  waiter.emplace(wake_);  // before another thread can own the loop, and take the ring
  return true;
}

base::Duration Sleeper::napOf(base::Duration at_most) const noexcept {
  Patience& patience = Patience::ofThisThread();
  if (isSharing()) {
    if (!patience.isOverForPayload(base::Clock::now())) return {};
    return hearsAll() ? at_most : std::min(at_most, kMoment);
  }
  patience.begin();
  return hearsAll() && patience.isOverForPolling() ? at_most : base::Duration();
}

}  // namespace ucxx::core
