// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Transfers that wait for conditions, and what they promise.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/loop/loop.h"
#include "sim/schedule.h"

namespace ucxx::sim {
namespace {

constexpr std::size_t kMostTriggers = 16;
constexpr std::uint64_t kMostTimes = 4;

/// What it brings lies in the request.
bool mayRepeat(OperationKind kind) noexcept {
  return kind != OperationKind::AmRecv && kind != OperationKind::MultiRecv;
}

}  // namespace

void Schedule::conditionStep(Node& node) {
  std::vector<Trigger*> own;
  for (Trigger& one : triggers_) {
    if (one.node == &node && !one.closed && (one.repeats || one.triggered == 0))
      own.push_back(&one);
  }
  if (own.empty() || random_.chance(20)) {
    if (triggers_.size() >= kMostTriggers) return;
    Trigger& made = triggers_.emplace_back();
    made.node = &node;
    ConditionOptions options;
    options.repeat = made.repeats = random_.chance(30);
    made.has_timeout = random_.chance(10);
    if (made.has_timeout)
      options.start_timeout = std::chrono::milliseconds(20 + random_.below(900));
    made.has_limit = weather_ == Weather::Storm && random_.chance(20);
    if (made.has_limit)
      options.transfer_timeout = std::chrono::milliseconds(20 + random_.below(900));
    made.condition = Condition::host(options);
    return;
  }
  Trigger& one = *random_.pick(own);
  if (random_.chance(12)) return closeTrigger(one);
  if (one.posted != 0 && one.triggered < kMostTimes) trigger(one);
}

/// The condition that `job` waits for; none: it starts at once.
Condition Schedule::arm(Job& job, Sent* sent) {
  if (finishing_ || !random_.chance(2 * condition_percent_)) return {};
  std::vector<Trigger*> waiting;
  for (Trigger& one : triggers_) {
    if (one.node == job.node && !one.closed && one.triggered == 0 &&
        (!one.repeats || mayRepeat(job.kind)))
      waiting.push_back(&one);
  }
  if (waiting.empty()) return {};
  Trigger& chosen = *random_.pick(waiting);
  ++chosen.posted;
  job.trigger = &chosen;
  if (sent == nullptr) return chosen.condition;
  sent->is_armed = true;
  sent->is_repeated = chosen.repeats;
  return chosen.condition;
}

/// Nobody knows what was before it, and what after.
void Schedule::forgetOrder(Job& job) {
  job.is_unordered = true;
  if (core::isOutgoing(job.kind)) sent_[job.id - 1].order = 0;
}

/// All that waits for it starts here, in the order of the posts, unless its worker is being moved.
/// A callback of one may post before the next one starts.
void Schedule::trigger(Trigger& trigger) {
  const bool is_known = depth_ == 0 && !trigger.node->moving;
  std::vector<Job*> started;
  ++trigger.triggered;
  for (Job& job : jobs_) {
    if (job.trigger != &trigger || job.status != UCS_INPROGRESS) continue;
    started.push_back(&job);
    job.order = ++last_order_;
    if (core::isOutgoing(job.kind)) {
      sent_[job.id - 1].order = job.order;
      sent_[job.id - 1].is_armed = false;
    }
    if (!is_known || job.posting || trigger.repeats) forgetOrder(job);
  }
  const std::uint64_t last_order = last_order_;
  const Condition condition = trigger.condition;
  as(*trigger.node, [&] { condition.trigger(); });
  if (last_order_ == last_order) return;
  for (Job* const job : started) forgetOrder(*job);
}

/// By a call, or because nobody has it any more.
void Schedule::closeTrigger(Trigger& trigger) {
  trigger.closed = true;
  const bool is_dropped = random_.chance(50);
  as(*trigger.node, [&] {
    if (is_dropped)
      std::exchange(trigger.condition, {});
    else
      Condition(trigger.condition).close();
  });
}

/// The program is over. In orderly weather no send waits any longer.
void Schedule::endTriggers() {
  for (Trigger& one : triggers_) {
    if (one.closed || one.node->worker == nullptr) continue;
    if (one.posted != 0 && one.triggered == 0 && random_.chance(70)) trigger(one);
    const bool must_close = one.repeats || one.triggered == 0;
    if (!one.closed && must_close && (isOrderly() || random_.chance(80))) closeTrigger(one);
  }
}

/// Those that repeat end when it is closed, the others after its trigger.
bool Schedule::mayEndWell(const Trigger& trigger) noexcept {
  return trigger.repeats ? trigger.closed : trigger.triggered != 0;
}

bool Schedule::isExplained(const Job& job, ucs_status_t status) noexcept {
  const Trigger& trigger = *job.trigger;
  if (status == UCS_ERR_CANCELED) return trigger.closed;
  return status == UCS_ERR_TIMED_OUT && trigger.has_timeout;
}

/// A repetition goes on, of this transfer or of another that waits for the same condition.
bool Schedule::isHeldUp(const Trigger& trigger) noexcept {
  return trigger.repeats && trigger.condition.epoch() != trigger.triggered;
}

/// A transfer on it took too long.
bool Schedule::isClosedByLimit(const End& end, const Error& error) const {
  if (error.status() != UCS_ERR_NOT_CONNECTED) return false;
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const Job& job) {
    return job.end == &end && job.trigger != nullptr && job.trigger->has_limit &&
           job.trigger->triggered != 0;
  });
}

std::string Schedule::describe(const Trigger& trigger) {
  const Condition& condition = trigger.condition;
  return fmt::format("condition of node {}{}{}, {} posts, triggered {} times: {} ends, {}",
                     trigger.node->index, trigger.repeats ? ", repeating" : "",
                     trigger.closed ? ", closed" : "", trigger.posted, trigger.triggered,
                     condition.epoch(), ucs_status_string(condition.lastStatus()));
}

/// Of nodes that are there, or of one whose worker has gone.
void Schedule::checkTriggers(const Node* gone) {
  for (const Trigger& one : triggers_) {
    if (!one.condition || one.posted == 0 || one.node->killed) continue;
    if (gone != nullptr ? one.node != gone : one.node->worker == nullptr) continue;
    const std::string what = describe(one);
    if (gone != nullptr) {
      if (!one.condition.isOver()) wrong("a condition outlives its worker: " + what);
      continue;
    }
    bool are_all_over = true, are_all_well = true;
    for (const Job& job : jobs_) {
      if (job.trigger != &one) continue;
      are_all_over = are_all_over && job.status != UCS_INPROGRESS;
      are_all_well = are_all_well && job.status == UCS_OK;
    }
    if (!are_all_over || one.triggered == 0) continue;
    if (one.condition.epoch() != one.triggered) wrong("not all of its ends were told: " + what);
    // What is given back may have ended well before.
    const bool are_known = !one.repeats && !gives_back_;
    if (are_known && (one.condition.lastStatus() == UCS_OK) != are_all_well)
      wrong("not the status of its transfers: " + what);
    if ((!one.repeats || one.closed) && !one.condition.isOver()) wrong("it is not over: " + what);
  }
}

}  // namespace ucxx::sim
