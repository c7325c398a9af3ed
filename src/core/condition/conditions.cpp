// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/condition/conditions.h"

#include <algorithm>

#include "core/condition/armed.h"
#include "core/condition/condition_state.h"
#include "core/condition/condition_words.h"
#include "core/loop/loop.h"
#include "core/loop/progress_thread.h"

namespace ucxx::core {
namespace {

/// Rounds in which only the first place of a stream is looked at.
constexpr unsigned kLooksAtFirst = 64;

}  // namespace

Conditions::Conditions(Loop& loop) noexcept : Watched(loop.watch), loop_(loop) {}

void Conditions::add(TriggeredCondition& condition) {
  if (condition.kind != ConditionKind::Host) {
    const ConditionWords& words = condition.words();
    const WatchedWord watched{&words.trigger(), words.base(), &condition};
    if (condition.kind == ConditionKind::Stream)
      addPlace(condition.stream, watched);
    else
      watched_.push_back(watched);
    loop_.watch.expectsChange(base::Clock::now());
    beginWatching();
  }
  all_.pushBack(condition);
}

void Conditions::addPlace(std::uint64_t stream, const WatchedWord& place) {
  for (WatchedStream& one : streams_)
    if (one.stream == stream) return one.places.push_back(place);
  WatchedStream made{stream, {}};
  made.places.push_back(place);
  streams_.push_back(std::move(made));
}

void Conditions::dropStreamsWithoutPlaces() noexcept {
  std::erase_if(streams_, [](const WatchedStream& one) { return one.places.empty(); });
}

void Conditions::remove(TriggeredCondition& condition) noexcept {
  if (condition.due_node.linked()) {
    due_.remove(condition);
    endWatching();
  }
  all_.remove(condition);
  const auto is_its = [&](const WatchedWord& one) { return one.condition == &condition; };
  endWatching(std::erase_if(watched_, is_its));
  if (condition.kind != ConditionKind::Stream) return;
  for (WatchedStream& one : streams_)
    if (one.stream == condition.stream) endWatching(std::erase_if(one.places, is_its));
  dropStreamsWithoutPlaces();
}

bool Conditions::look() noexcept {
  pollWords();
  if (!streams_.empty()) pollStreams();
  if (due_.empty()) return false;
  loop_.watch.expectsChange(base::Clock::now());  // the loop's own time may be old
  // Each once: one that goes on is due again, after the others.
  for (std::size_t left = due_.size(); left != 0 && !due_.empty(); --left) {
    endWatching();
    due_.popFront()->look();
  }
  return true;
}

void Conditions::pollWords() noexcept {
  for (WatchedWord& one : watched_) {
    if (!one.hasChanged()) continue;
    one.condition->notice();
    if (one.condition->kind == ConditionKind::Graph) one.seen = 0;  // it was set back
    becomeDue(*one.condition);
  }
}

/// Only the first place of each stream, as a rule: hundreds may wait. Of several threads that post
/// to one stream the loop may have heard in another order, so now and then it looks at all.
void Conditions::pollStreams() noexcept {
  const bool looks_at_all = looks_++ % kLooksAtFirst == 0;
  for (WatchedStream& one : streams_) {
    while (!one.places.empty() && one.places.front().hasGrown()) {
      notice(one.places.front());
      one.places.pop_front();
    }
    if (looks_at_all) noticeAllOf(one);
  }
  dropStreamsWithoutPlaces();
}

void Conditions::notice(const WatchedWord& place) noexcept {
  endWatching();
  place.condition->notice();
  becomeDue(*place.condition);
}

/// The stream may have reached others before one that is seen to be reached, since they were looked
/// at: all are looked at until no more have changed, and then start in their order.
void Conditions::noticeAllOf(WatchedStream& stream) noexcept {
  std::size_t reached = 0;
  for (std::size_t more = 1; more != 0; reached += more)
    more = static_cast<std::size_t>(std::count_if(stream.places.begin(), stream.places.end(),
                                                  [](WatchedWord& one) { return one.hasGrown(); }));
  if (reached == 0) return;
  std::erase_if(stream.places, [&](const WatchedWord& one) {
    if (one.seen == one.condition->words().base()) return false;
    notice(one);
    return true;
  });
}

void Conditions::becomeDue(TriggeredCondition& condition) noexcept {
  if (condition.due_node.linked()) return;
  due_.pushBack(condition);
  beginWatching();
}

bool Conditions::maySleep() noexcept {
  if (!due_.empty()) return false;
  looks_ = 0;  // after a sleep it looks at all
  return true;
}

void Conditions::setDeadline(Armed& armed) noexcept {
  removeDeadline(armed);
  timed_.pushBack(armed);
  next_deadline_ = std::min(next_deadline_, armed.deadline());
  loop_.needsTimeAt(armed.deadline());
}

void Conditions::removeDeadline(Armed& armed) noexcept {
  if (armed.timed_node.linked()) timed_.remove(armed);
}

void Conditions::onTime() noexcept {
  const base::TimePoint now = loop_.now();
  if (now < next_deadline_) return loop_.needsTimeAt(next_deadline_);
  next_deadline_ = base::TimePoint::max();
  // Each once: callbacks of what ends here may take others off the list.
  for (std::size_t left = timed_.size(); left != 0 && !timed_.empty(); --left) {
    Armed& armed = *timed_.popFront();
    if (armed.deadline() <= now)
      armed.timeOut();
    else
      setDeadline(armed);
  }
}

void Conditions::end() noexcept {
  while (TriggeredCondition* const condition = all_.front()) endOne(*condition);
}

/// Callbacks of what ends may take others off the list. What has started ends by itself where
/// somebody moves it.
void Conditions::endThoseOfDevices() noexcept {
  const auto first_of_device = [&] {
    TriggeredCondition* one = all_.front();
    while (one != nullptr && one->kind == ConditionKind::Host) one = all_.after(*one);
    return one;
  };
  while (TriggeredCondition* const condition = first_of_device()) {
    const std::shared_ptr<ConditionState> held = condition->shared_from_this();
    endOne(*condition);
    if (!loop_.thread.isRunning()) condition->abandon();
  }
}

void Conditions::endOne(TriggeredCondition& condition) noexcept {
  remove(condition);
  condition.workerEnds();
}

}  // namespace ucxx::core
