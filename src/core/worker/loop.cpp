// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/worker/loop.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <ucxx/context.h>

#include "base/file_descriptor.h"
#include "base/machine_memory.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/link/link.h"
#include "core/match/transfers.h"
#include "core/request/context_state.h"
#include "local/channel.h"

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

WorkerOptions bounded(WorkerOptions options) {
  options.multi_bytes = std::min(options.multi_bytes, base::machineMemory() / 2);
  return options;
}

}  // namespace

Loop::Loop(std::shared_ptr<Context> context, const WorkerOptions& worker_options)
    : options(bounded(worker_options)),
      can_sleep(context->state().hasWakeup()),
      context_(std::move(context)),
      id_(base::randomId128()),
      owner_(options.single_thread),
      wake_(poller_),
      now_(base::Clock::now()) {
  openHub();
  if (hub_ == nullptr) ensureUcp();
  links_ = std::make_unique<Links>(*this, poller_);
  reportStalls();  // begins its timer
}

Loop::~Loop() {
  if (base::isForkedChild()) {  // nothing of it is ours: forget it all
    (void)ucp_.release();
    (void)ucp_descriptor_.release();
    (void)links_.release();
    (void)hub_.release();
    (void)new decltype(endpoints_)(std::move(endpoints_));
    return;
  }
  thread.stop();
  while (!owner_.tryEnter()) std::this_thread::yield();
  shutDown();
  if (links_->connected() != 0) abandonUcp();
  links_->clear();
  warnOfLosses(*this);
  endpoints_.clear();
  discardMessages(*this);
  links_.reset();
  hub_.reset();
  ucp_descriptor_.reset();
  ucp_.reset();
}

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
  if (endSleep()) look_often_ = true;  // what has woken its sleeper would wake it again
  const bool moved = rounds();
  if (moved) wake_.ringOthers();  // they may wait for what has moved here
  return moved;
}

bool Loop::progress() {
  const Visit entry(*this, Visit::Quiet());
  if (!entry.mayProgress()) return false;
  if (!may_glance_ || !posts_.empty()) return progressOwned();
  return hub_->hasCome() ? takeSeen() : wantsRound() && progressOwned();
}

/// The rings have brought nothing: whether it is time for all else.
[[gnu::always_inline]] inline bool Loop::wantsRound() noexcept {
  if (++glances_ % kGlancesOfOneTime != 0) return false;
  return glances_ % kGlances == 0 || base::cycles() - last_look_cycles_ >= kLookCycles;
}

/// In place of a round: what the rings have brought.
bool Loop::takeSeen() {
  const std::uint64_t ended = counters.ended.value();
  may_glance_ = false;  // a stream of messages does not keep the rest from its turn
  posts_of_this_time_ = 0;
  if (!hub_->takeSeen()) return progressOwned();
  if (counters.ended.value() == ended) (void)rounds();
  wake_.ringOthers();
  return true;
}

/// No part of a round knows of work, but the rings that are polled.
bool Loop::knowsOfNothing() const noexcept {
  if (hub_ == nullptr || !hub_->hasFewRings()) return false;
  const bool is_told = look_often_ || !reviews.empty() || ucp_moved_ || !watch.empty();
  const bool leaves_ucx_alone = links_->connected() == 0 || hub_->isBusy();
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
    if (has_copied_) return true;
  }
  return true;
}

bool Loop::progressOnce() {
  const Visit entry(*this);
  if (!entry.mayProgress()) return false;
  if (endSleep()) look_often_ = true;
  const bool moved = round();
  if (moved) wake_.ringOthers();
  return moved;
}

bool Loop::round() {
  may_glance_ = false;
  posts_of_this_time_ = 0;
  bool moved = !posts_.empty() && drainPosts();
  if (!watch.empty() && watch.look(now_)) [[unlikely]]
    moved = true;
  has_copied_ = false;
  if (hub_ != nullptr && hub_->progress()) {
    moved = true;
    if (!isRestDue()) {
      ++busy_rounds_;
      return true;
    }
  }
  has_copied_ = !copies.empty() && copies.look(now_);
  if (has_copied_) moved = true;
  // To read the clock takes as long as to handle a small message: not behind each of them.
  const bool reads_clock =
      !moved || has_copied_ || look_often_ || ++busy_rounds_ % kBusyRounds == 0;
  const std::uint64_t cycles = reads_clock ? base::cycles() : last_look_cycles_;
  if (progressUcp(cycles)) moved = true;
  if (cycles - last_look_cycles_ > kLookCycles || look_often_) {
    last_look_cycles_ = cycles;
    rounds_since_look_ = 0;
    if (lookAtDescriptors()) moved = true;
  }
  if (!reviews.empty()) {
    reviews.run();
    moved = true;
  }
  // A caller that comes seldom finds a look due before it has made so many rounds.
  may_glance_ = !moved && ++rounds_since_look_ > kRoundsBeforeGlances && knowsOfNothing();
  return moved;
}

/// A round in which rings had something leaves the rest, for which whoever waits for a message
/// would wait as well, to another one, unless it knows of work there; but not for ever.
bool Loop::isRestDue() const noexcept {
  const bool has_its_turn = (busy_rounds_ + 1) % kBusyRounds == 0;
  return has_its_turn || ucp_moved_ || look_often_ || !reviews.empty() || !copies.empty();
}

/// Beside rings that are in use, not in each round: UCX takes longer to find nothing than they do
/// to move a message.
bool Loop::progressUcp(std::uint64_t cycles) noexcept {
  if (links_->connected() == 0) return ucp_moved_ = false;
  const bool is_beside_rings = hub_ != nullptr && hub_->isBusy();
  if (is_beside_rings && !ucp_moved_ && cycles < last_ucp_cycles_ + kUcpCycles) return false;
  last_ucp_cycles_ = cycles;
  return ucp_moved_ = ucp_->progress();
}

bool Loop::lookAtDescriptors() {
  now_ = base::Clock::now();
  const std::uint64_t before = links_->events();
  // Rounds leave UCX alone without links. It hears that a peer has left a connection before the
  // door hears of that peer's next call: it would take the one for the other, and the new link
  // would fail.
  const bool ucp_moved = ucp_ != nullptr && ucp_->progress();
  poller_.dispatch(0);
  if (links_->events() != before) look_often_until_ = now_ + std::chrono::milliseconds(5);
  look_often_ = now_ < look_often_until_;
  if (now_ >= nextTime()) onTime();
  if (now_ >= expecting_at_) watchExpecting();
  return ucp_moved || links_->events() != before;
}

base::TimePoint Loop::nextTime() const noexcept {
  return std::min({next_time_, deadlines.next(), links_->nextDeadline()});
}

bool Loop::isQuiet() {
  if (wake_.takeSignal() || !posts_.empty() || !reviews.empty()) return false;
  if (hub_ != nullptr && !hub_->announceSleep()) return false;
  if (!watch.maySleep(now_) || !copies.maySleep(now_)) return false;
  if (!can_sleep || ucp_ == nullptr || ucp_->arm()) return true;
  ucp_->progress();  // rounds leave UCX alone when it has no endpoints, but it may have events left
  return false;
}

bool Loop::endSleep() noexcept {
  const bool ended = wake_.endSleep();
  if (ended && hub_ != nullptr) hub_->endSleep();
  return ended;
}

/// When the loop that sleeps looks again, if nothing happens.
base::TimePoint Loop::nextLook() const noexcept {
  const base::TimePoint look = hub_ != nullptr ? hub_->nextLook(now_) : base::TimePoint::max();
  return std::min({nextTime(), look, watch.nextLook(now_)});
}

void Loop::wokeUp() noexcept {
  readClock();
  (void)wake_.takeSignal();  // it has done its work
  look_often_ = true;        // whatever woke the thread is looked at first
  counters.wake_ups.add();
}

void Loop::lookForLife(EndpointState& endpoint) {
  {
    const Visit entry(*this);
    if (!entry.mayProgress()) return;  // whoever moves it hears of the end
    const Link* const link = endpoint.isOver() ? nullptr : endpoint.link;
    if (link == nullptr || link->local == nullptr || link->local->isPeerThere()) return;
    look_often_ = true;
  }
  progress();
}

void Loop::warnOfUntaken() noexcept {
  const Visit entry(*this);
  if (entry.isOwner()) warnOfLosses(*this);
}

void Loop::watchExpecting() noexcept {
  expecting_at_ = now_ + std::chrono::milliseconds(20);
  links_->watch();
}

/// Whatever is due.
void Loop::onTime() {
  next_time_ = base::TimePoint::max();
  links_->onTime();
  conditions_.onTime();
  deadlines.onTime(now_);
  reportStalls();
}

}  // namespace ucxx::core
