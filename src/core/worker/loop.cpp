// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/worker/loop.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <thread>
#include <utility>

#include <poll.h>

#include <ucxx/context.h>

#include "base/file_descriptor.h"
#include "base/machine_memory.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/link/link.h"
#include "core/loop/patience.h"
#include "core/loop/timer.h"
#include "core/match/transfers.h"
#include "core/request/context_state.h"
#include "core/request/operation.h"
#include "core/request/outcome.h"
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

/// Negative: without a limit.
void pollFor(pollfd& waiting, base::Duration at_most) noexcept {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at_most);
  const timespec limit{static_cast<std::time_t>(seconds.count()),
                       static_cast<long>(std::chrono::nanoseconds(at_most - seconds).count())};
  ::ppoll(&waiting, 1, at_most.count() < 0 ? nullptr : &limit, nullptr);
}

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
  timer_ = std::make_unique<Timer>(poller_, wake_);
  openHub();
  if (hub_ == nullptr) ensureUcp();
  links_ = std::make_unique<Links>(*this, poller_);
  reportStalls();  // begins its timer
}

Loop::~Loop() {
  if (base::isForkedChild()) {  // nothing of it is ours: forget it all
    (void)thread.release();
    (void)ucp_.release();
    (void)ucp_descriptor_.release();
    (void)links_.release();
    (void)hub_.release();
    (void)new decltype(endpoints_)(std::move(endpoints_));
    return;
  }
  stopThread();
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
  const bool is_told = look_often_ || review_links_ || ucp_moved_ || polled != 0;
  const bool leaves_ucx_alone = links_->connected() == 0 || hub_->isBusy();
  return !is_told && leaves_ucx_alone && !links_->isCopying();
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

/// Out of line: compiled into the round, it would cost registers where there is nothing to poll.
[[gnu::noinline]] bool Loop::poll() noexcept {
  const bool has_started = conditions_.poll();
  const bool has_copied = device_copies.poll();
  if (!watched_plans.poll() && !has_copied) return has_started;
  conditions_.staysRestless(now_);
  return true;
}

bool Loop::round() {
  may_glance_ = false;
  posts_of_this_time_ = 0;
  bool moved = !posts_.empty() && drainPosts();
  if (polled != 0 && poll()) [[unlikely]]
    moved = true;
  has_copied_ = false;
  if (hub_ != nullptr && hub_->progress()) {
    moved = true;
    if (!isRestDue()) {
      ++busy_rounds_;
      return true;
    }
  }
  has_copied_ = links_->isCopying() && links_->copy();
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
  if (review_links_ && reviewNow()) moved = true;
  // A caller that comes seldom finds a look due before it has made so many rounds.
  may_glance_ = !moved && ++rounds_since_look_ > kRoundsBeforeGlances && knowsOfNothing();
  return moved;
}

/// A round in which rings had something leaves the rest, for which whoever waits for a message
/// would wait as well, to another one, unless it knows of work there; but not for ever.
bool Loop::isRestDue() const noexcept {
  const bool has_its_turn = (busy_rounds_ + 1) % kBusyRounds == 0;
  return has_its_turn || ucp_moved_ || look_often_ || review_links_ || links_->isCopying();
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
  return std::min(next_time_, links_->nextDeadline());
}

bool Loop::isQuiet() {
  if (wake_.takeSignal() || !posts_.empty() || review_links_) return false;
  if (hub_ != nullptr && !hub_->announceSleep()) return false;
  if (watched_plans.poll()) return false;
  watched_plans.dropIdle();
  if (!links_->isCopyingQuiet() || conditions_.isRestless(now_)) return false;
  if (!can_sleep || ucp_ == nullptr || ucp_->arm()) return true;
  ucp_->progress();  // rounds leave UCX alone when it has no endpoints, but it may have events left
  return false;
}

bool Loop::endSleep() noexcept {
  const bool ended = wake_.endSleep();
  if (ended && hub_ != nullptr) hub_->endSleep();
  return ended;
}

bool Loop::arm() {
  const Visit entry(*this);
  // Its owner may be about to leave: look again. In a callback the round goes on after it.
  return entry.isOwner() && !entry.isNested() && armOwned();
}

bool Loop::armOwned() {
  now_ = base::Clock::now();
  posts_of_this_time_ = 0;
  watchExpecting();
  wake_.announceSleep();
  if (isQuiet()) {
    const base::TimePoint look = hub_ != nullptr ? hub_->nextLook(now_) : base::TimePoint::max();
    timer_->set(std::min({nextTime(), look, conditions_.nextLook(now_)}));
    return true;
  }
  // UCX is not armed any more, and what made its descriptor ready may be gone: a thread that sleeps
  // on it has perhaps not looked yet.
  if (!endSleep()) wake_.ringOthers();
  return false;
}

bool Loop::armFor(std::optional<Wake::Waiter>& waiter) {
  const Visit entry(*this);
  if (!entry.isOwner() || !armOwned()) return false;
  waiter.emplace(wake_);  // before another thread can own the loop, and take the ring
  return true;
}

bool Loop::takeUnseenEnd() noexcept {
  // Some are counted twice; it costs a look.
  return unseen_ends_.take(counters.ended.value() + counters.inline_completions.value());
}

bool Loop::sleepUnlessEnded(base::Duration at_most) {
  bool ended = false;
  sleep(at_most, [&] {
    // Another thread may have ended a request after its caller had looked and before it could see
    // that somebody sleeps.
    ended = takeUnseenEnd();
    return !ended;
  });
  return ended;
}

void Loop::sleepUnlessEnded(const Operation& op, base::Duration at_most) {
  sleep(at_most, [&] { return op.outcome.status() == UCS_INPROGRESS; });
}

void Loop::sleepUnless(const std::function<bool()>& isDone, base::Duration at_most) {
  sleep(at_most, [&] { return !isDone(); });
}

bool Loop::sleep(base::Duration at_most) {
  return sleep(at_most, [] { return true; });
}

base::Duration Loop::napOf(base::Duration at_most) const noexcept {
  Patience& patience = Patience::ofThisThread();
  if (isSharing()) {
    if (!patience.isOverForPayload(base::Clock::now())) return {};
    return hearsAll() ? at_most : std::min(at_most, kMoment);
  }
  patience.begin();
  return hearsAll() && patience.isOverForPolling() ? at_most : base::Duration();
}

template <class May>
bool Loop::sleep(base::Duration at_most, May may) {
  bool slept = false;
  {
    std::optional<Wake::Waiter> waiter;
    slept = armFor(waiter) && may();
    pollfd waiting{poller_.fd(), POLLIN, 0};
    if (slept) {
      base::reached(base::Phase::SleepBegins);
      pollFor(waiting, at_most);
    }
  }
  const Visit entry(*this);
  if (!entry.isOwner()) return slept;  // another thread has taken over, and looks itself
  endSleep();
  if (slept) wokeUp();
  return slept;
}

void Loop::wokeUp() noexcept {
  now_ = base::Clock::now();
  posts_of_this_time_ = 0;
  (void)wake_.takeSignal();  // it has done its work
  look_often_ = true;        // whatever woke us is looked at first
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

bool Loop::reviewNow() noexcept {
  review_links_ = false;
  links_->review();
  for (auto endpoint = endpoints_.begin(); endpoint != endpoints_.end();) {
    EndpointState& state = *endpoint->second;
    ++endpoint;
    freeEndpointIfDone(state);
  }
  links_->removeEnded();
  return true;
}

/// Deadlines of endpoints and links; whatever is due.
void Loop::onTime() {
  next_time_ = base::TimePoint::max();
  links_->onTime();
  conditions_.onTime();
  forEachEndpoint([&](EndpointState& endpoint) {
    if (endpoint.close_deadline <= now_)
      closeByForce(endpoint);
    else
      needsTimeAt(endpoint.close_deadline);
    if (endpoint.recall_deadline <= now_) giveUpAsking(endpoint);
    needsTimeAt(endpoint.recall_deadline);
    if (endpoint.connect_deadline <= now_ && endpoint.listed)
      links_->giveUpConnecting(endpoint);
    else if (endpoint.listed)
      needsTimeAt(endpoint.connect_deadline);
  });
  reportStalls();
}

}  // namespace ucxx::core
