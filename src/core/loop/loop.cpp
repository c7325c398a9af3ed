// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/loop.h"

#include <algorithm>
#include <utility>

#include "base/file_descriptor.h"

namespace ucxx::core {
namespace {

/// How often a loop that always finds something to do looks at its descriptors: after so many
/// rounds.
constexpr unsigned kBusyRounds = 64;
/// Glances at the rings for one whole round, where nothing comes.
constexpr unsigned kGlances = 16;
/// Glances for one look at a clock, which takes as long as a glance.
constexpr unsigned kGlancesOfOneTime = 4;
/// Rounds in vain, since the clock has said that a look is due, before the first glance. A program
/// that glances comes often enough to read the clock soon.
constexpr unsigned kRoundsBeforeGlances = 4;
static_assert(kGlances % kGlancesOfOneTime == 0, "a whole round is due where a clock is read");
/// How often UCX is progressed beside rings: about 2 us.
constexpr std::uint64_t kUcpCycles = 5'000;
/// Rounds of one `progress()`, so that a flood cannot keep its caller for ever.
constexpr int kMaxRounds = 4096;

}  // namespace

Loop::Loop(const WorkerOptions& worker_options, bool its_can_sleep)
    : options(worker_options),
      can_sleep(its_can_sleep),
      owner(options.single_thread),
      posts(*this, options.delayed_submission),
      id_(base::randomId128()),
      now_(base::Clock::now()) {}

Loop::~Loop() = default;

void Loop::endLater(std::unique_ptr<Loop> loop) noexcept {
  Loop& self = *loop;
  self.ending_ = std::move(loop);
  self.thread.stopAndEndLoop();
}

void Loop::Visit::endIt() noexcept {
  const std::unique_ptr<Loop> ending = loop_.takeEnding();
  leave();
}

/// In line: whoever polls for a message comes through here until it is there.
[[gnu::always_inline]] inline bool Loop::progressOwned() {
  if (endSleep()) pace_.look_often = true;  // what has woken its sleeper would wake it again
  const bool moved = rounds();
  if (moved) wake.ringOthers();  // they may wait for what has moved here
  return moved;
}

bool Loop::progress() {
  const Visit entry(*this, Visit::Quiet());
  if (!entry.mayProgress()) return false;
  if (!pace_.may_glance || !posts.empty()) return progressOwned();
  return carriers.hub->hasCome() ? takeSeen() : wantsRound() && progressOwned();
}

/// The rings have brought nothing: whether it is time for all else.
[[gnu::always_inline]] inline bool Loop::wantsRound() noexcept {
  if (++pace_.glances % kGlancesOfOneTime != 0) return false;
  return pace_.glances % kGlances == 0 || base::cycles() - pace_.last_look_cycles >= kLookCycles;
}

/// In place of a round: what the rings have brought.
bool Loop::takeSeen() {
  const std::uint64_t ended = counters.ended.value();
  pace_.may_glance = false;  // a stream of messages does not keep the rest from its turn
  post_time_.posts_left = 0;
  if (!carriers.hub->takeSeen()) return progressOwned();
  if (counters.ended.value() == ended) (void)rounds();
  wake.ringOthers();
  return true;
}

/// No part of a round knows of work, but the rings that are polled.
bool Loop::knowsOfNothing() const noexcept {
  if (carriers.hub == nullptr || !carriers.hub->hasFewRings()) return false;
  const bool is_told = pace_.look_often || !reviews.empty() || pace_.ucp_moved || !watch.empty();
  const bool leaves_ucx_alone = carriers.ucx_links == 0 || carriers.hub->isBusy();
  return !is_told && leaves_ucx_alone && copies.empty();
}

bool Loop::look() {
  const Visit entry(*this);
  if (!entry.mayProgress()) return false;
  if (progressOwned()) return true;
  noteSleep();
  return false;
}

bool Loop::rounds() {
  // Until nothing moves, or a request has ended: its owner should not wait while UCX finds out,
  // by a system call, that nothing else is there. Nor while a large payload is copied.
  const std::uint64_t ended = counters.ended.value();
  for (int rounds = 0; rounds < kMaxRounds && counters.ended.value() == ended; ++rounds) {
    if (!round()) return rounds != 0;
    if (pace_.has_copied) return true;
  }
  return true;
}

bool Loop::progressOnce() {
  const Visit entry(*this);
  if (!entry.mayProgress()) return false;
  if (endSleep()) pace_.look_often = true;
  const bool moved = round();
  if (moved) wake.ringOthers();
  return moved;
}

bool Loop::round() {
  pace_.may_glance = false;
  post_time_.posts_left = 0;
  bool moved = !posts.empty() && posts.drain();
  if (!watch.empty() && watch.look(now_)) [[unlikely]]
    moved = true;
  pace_.has_copied = false;
  if (carriers.hub != nullptr && carriers.hub->progress()) {
    moved = true;
    if (!isRestDue()) {
      ++pace_.busy_rounds;
      return true;
    }
  }
  pace_.has_copied = !copies.empty() && copies.look(now_);
  if (pace_.has_copied) moved = true;
  // To read the clock takes as long as to handle a small message: not behind each of them.
  const bool reads_clock =
      !moved || pace_.has_copied || pace_.look_often || ++pace_.busy_rounds % kBusyRounds == 0;
  const std::uint64_t cycles = reads_clock ? base::cycles() : pace_.last_look_cycles;
  if (progressUcp(cycles)) moved = true;
  if (cycles - pace_.last_look_cycles > kLookCycles || pace_.look_often) {
    pace_.last_look_cycles = cycles;
    pace_.rounds_since_look = 0;
    if (lookAtDescriptors()) moved = true;
  }
  if (!reviews.empty()) {
    reviews.run();
    moved = true;
  }
  // A caller that comes seldom finds a look due before it has made so many rounds.
  pace_.may_glance = !moved && ++pace_.rounds_since_look > kRoundsBeforeGlances && knowsOfNothing();
  return moved;
}

/// A round in which rings had something leaves the rest, for which whoever waits for a message
/// would wait as well, to another one, unless it knows of work there; but not for ever.
bool Loop::isRestDue() const noexcept {
  const bool has_its_turn = (pace_.busy_rounds + 1) % kBusyRounds == 0;
  return has_its_turn || pace_.ucp_moved || pace_.look_often || !reviews.empty() || !copies.empty();
}

/// Beside rings that are in use, not in each round: UCX takes longer to find nothing than they do
/// to move a message.
bool Loop::progressUcp(std::uint64_t cycles) noexcept {
  if (carriers.ucx_links == 0) return pace_.ucp_moved = false;
  const bool is_beside_rings = carriers.hub != nullptr && carriers.hub->isBusy();
  if (is_beside_rings && !pace_.ucp_moved && cycles < pace_.last_ucp_cycles + kUcpCycles)
    return false;
  pace_.last_ucp_cycles = cycles;
  return pace_.ucp_moved = carriers.ucp->progress();
}

bool Loop::lookAtDescriptors() {
  now_ = base::Clock::now();
  const std::uint64_t before = doorEvents();
  // Rounds leave UCX alone without links. It hears that a peer has left a connection before the
  // door hears of that peer's next call: it would take the one for the other, and the new link
  // would fail.
  const bool ucp_moved = carriers.ucp != nullptr && carriers.ucp->progress();
  poller.dispatch(0);
  if (doorEvents() != before) pace_.look_often_until = now_ + std::chrono::milliseconds(5);
  pace_.look_often = now_ < pace_.look_often_until;
  if (now_ >= nextDeadline()) {
    next_time_ = base::TimePoint::max();
    onTime();  // the door first, which knows best why nobody has answered
    deadlines.onTime(now_);
  }
  if (now_ >= pace_.expecting_at) watchExpecting();
  return ucp_moved || doorEvents() != before;
}

base::TimePoint Loop::nextDeadline() const noexcept {
  return std::min({next_time_, deadlines.next(), nextTime()});
}

bool Loop::isQuiet() {
  if (wake.takeSignal() || !posts.empty() || !reviews.empty()) return false;
  if (carriers.hub != nullptr && !carriers.hub->announceSleep()) return false;
  if (!watch.maySleep(now_) || !copies.maySleep(now_)) return false;
  if (!can_sleep || carriers.ucp == nullptr || carriers.ucp->arm()) return true;
  // Rounds leave UCX alone when it has no endpoints, but it may have events left.
  carriers.ucp->progress();
  return false;
}

bool Loop::endSleep() noexcept {
  const bool ended = wake.endSleep();
  if (ended && carriers.hub != nullptr) carriers.hub->endSleep();
  return ended;
}

base::TimePoint Loop::nextLook() const noexcept {
  const base::TimePoint look =
      carriers.hub != nullptr ? carriers.hub->nextLook(now_) : base::TimePoint::max();
  return std::min({nextDeadline(), look, watch.nextLook(now_)});
}

void Loop::wokeUp() noexcept {
  readClock();
  (void)wake.takeSignal();  // it has done its work
  pace_.look_often = true;  // whatever woke the thread is looked at first
  counters.wake_ups.add();
}

void Loop::watchExpecting() noexcept {
  pace_.expecting_at = now_ + std::chrono::milliseconds(20);
  watchPeers();
}

}  // namespace ucxx::core
