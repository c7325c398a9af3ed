// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/conditions.h"

#include <algorithm>

#include "core/loop.h"

namespace ucxx::core {
namespace {

/// What a device triggers comes in bursts: for so long after the last trigger the loop does not
/// sleep; then it looks as often as costs little, and after a while less often.
constexpr base::Duration kRestless = std::chrono::milliseconds(1);
constexpr base::Duration kSoon = std::chrono::microseconds(200);
constexpr base::Duration kBusy = std::chrono::milliseconds(100);
constexpr base::Duration kLater = std::chrono::milliseconds(1);

}  // namespace

void Conditions::add(TriggeredCondition& condition) {
  if (condition.kind != ConditionKind::Host) {
    const ConditionWords& words = condition.words();
    watched_.push_back({&words.trigger(), words.base(), &condition});
    last_moved_ = base::Clock::now();
    ++loop_.polled;
  }
  all_.pushBack(condition);
}

void Conditions::remove(TriggeredCondition& condition) noexcept {
  if (condition.due_node.linked()) {
    due_.remove(condition);
    --loop_.polled;
  }
  all_.remove(condition);
  loop_.polled -=
      std::erase_if(watched_, [&](const Watched& one) { return one.condition == &condition; });
}

bool Conditions::poll() noexcept {
  bool has_streams = false;
  for (Watched& one : watched_) {
    if (one.is_noticed || !one.hasChanged()) continue;
    if (one.condition->kind == ConditionKind::Stream) {
      noticeAllOf(one.condition->stream);
      has_streams = true;
      continue;
    }
    one.condition->notice();
    if (one.condition->kind == ConditionKind::Graph) one.seen = 0;  // it was set back
    becomeDue(*one.condition);
  }
  if (has_streams) dropNoticed();
  if (due_.empty()) return false;
  last_moved_ = base::Clock::now();
  // Each once: one that goes on is due again, after the others.
  for (std::size_t left = due_.size(); left != 0 && !due_.empty(); --left) {
    --loop_.polled;
    due_.popFront()->look();
  }
  return true;
}

/// A stream has written a word. It may have written others before, since they were looked at: all
/// of its words are looked at until no more have changed, and then their transfers start in the
/// order of the posts, which for those of one thread is that of the writes.
void Conditions::noticeAllOf(std::uint64_t stream) noexcept {
  const auto forEach = [&](const auto& visit) {
    for (Watched& one : watched_) {
      if (one.condition->stream == stream && !one.is_noticed) visit(one);
    }
  };
  for (bool changes = true; changes;) {
    changes = false;
    forEach([&](Watched& one) { changes |= one.hasChanged(); });
  }
  forEach([&](Watched& one) {
    if (one.seen == one.condition->words().base()) return;
    one.is_noticed = true;
    one.condition->notice();
    becomeDue(*one.condition);
  });
}

void Conditions::dropNoticed() noexcept {
  loop_.polled -= std::erase_if(watched_, [](const Watched& one) { return one.is_noticed; });
}

void Conditions::becomeDue(TriggeredCondition& condition) noexcept {
  if (condition.due_node.linked()) return;
  due_.pushBack(condition);
  ++loop_.polled;
}

bool Conditions::isWatching() const noexcept {
  return !watched_.empty() || loop_.watched_plans.awaitKernels();
}

bool Conditions::isRestless(base::TimePoint now) const noexcept {
  return !due_.empty() || (now < last_moved_ + kRestless && isWatching());
}

base::TimePoint Conditions::nextLook(base::TimePoint now) const noexcept {
  if (!isWatching()) return base::TimePoint::max();
  return now + (now < last_moved_ + kBusy ? kSoon : kLater);
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
  while (TriggeredCondition* const condition = all_.front()) {
    remove(*condition);
    condition->workerEnds();
  }
}

}  // namespace ucxx::core
