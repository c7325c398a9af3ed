// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What prepared transfers promise.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/schedule.h"

namespace ucxx::sim {
namespace {

constexpr int kMostLevels = 20;

bool isPartner(const PlanEnd& one, const PlanEnd& other) noexcept {
  return one.sends != other.sends && one.tag == other.tag && one.node == other.end->peer &&
         one.end->peer == other.node;
}

}  // namespace

std::string Schedule::describe(const PlanEnd& plan) const {
  return fmt::format("{} {} of node {}, end {}: {}", plan.sends ? "send" : "receive", plan.number,
                     plan.node->index, plan.end->uid,
                     plan.plan != nullptr ? plan.plan->describe() : "dropped");
}

/// Nobody may write its buffer from now on.
void Schedule::rest(PlanEnd& plan) {
  if (plan.sends) std::fill(plan.buffer.begin(), plan.buffer.end(), kScribble);
  plan.rested_sum = sumOf(plan.buffer);
}

void Schedule::checkRest(const PlanEnd& plan) {
  if (plan.rested_sum && *plan.rested_sum != sumOf(plan.buffer))
    wrong("its buffer was written while nobody may: " + describe(plan));
}

void Schedule::onPlanClosed(PlanEnd& plan) {
  look(plan);
  rest(plan);
}

void Schedule::look(PlanEnd& plan) {
  if (plan.plan == nullptr) return;
  if (!plan.runs) return checkRest(plan);
  const std::shared_ptr<Prepared> its_plan = plan.plan;
  const ucs_status_t status = its_plan->getStatus();
  if (!plan.sends && !plan.rested_sum) {
    const auto& receive = static_cast<PreparedRecv&>(*its_plan);
    for (std::size_t i = 0; i < plan.shape.partitions; ++i) {
      const bool has_arrived = receive.arrived(i);
      if (has_arrived) lookAtPart(plan, i);
      if (status == UCS_OK && !has_arrived) wrong("done, but not all has come: " + describe(plan));
    }
  }
  if (status == UCS_INPROGRESS) return;
  plan.runs = false;
  if (!isLegal(plan, status)) wrong("a status that nothing explains: " + describe(plan));
  plan.failure = status;
  if (status != UCS_OK) return;
  if (std::find(plan.ready.begin(), plan.ready.end(), false) != plan.ready.end())
    wrong("done, but not all was ready: " + describe(plan));
  rest(plan);
}

void Schedule::lookAtPart(PlanEnd& plan, std::size_t partition) {
  const std::size_t each = plan.shape.bytes / plan.shape.partitions;
  if (each == 0) return;
  const std::size_t first = partition * each / sizeof(std::uint64_t);
  const auto bytes = plan.buffer.subspan(partition * each, each);
  learnSender(plan, idIn(bytes) - wordOf(0, first));
  if (plan.sender == nullptr) return;
  if (!holds(bytes, plan.sender->keyOf(plan.plan->iterations()), first))
    wrong(fmt::format("wrong bytes in part {}: ", partition) + describe(plan));
}

void Schedule::learnSender(PlanEnd& plan, std::uint64_t key) {
  if (plan.sender != nullptr) return;
  const std::uint64_t number = key >> 32;
  if (number == 0 || number > plans_.size() || !isPartner(plans_[number - 1], plan))
    return wrong("bytes that nobody sent: " + describe(plan));
  plan.sender = &plans_[number - 1];
}

bool Schedule::hasMisfit(const PlanEnd& plan) const {
  return std::any_of(plans_.begin(), plans_.end(), [&](const PlanEnd& other) {
    return isPartner(plan, other) && !plan.shape.fits(other.shape);
  });
}

bool Schedule::isLegal(const PlanEnd& plan, ucs_status_t status) const {
  const Node& node = *plan.node;
  if (status == UCS_OK) return true;
  if (status == UCS_ERR_INVALID_PARAM) return hasMisfit(plan);
  const bool is_closed = plan.closing || plan.end->closing || node.worker == nullptr;
  if (status == UCS_ERR_CANCELED) return is_closed || weather_ == Weather::Storm;
  if (!isPeersFault(status)) return false;
  if (weather_ == Weather::Storm || node.killed || plan.end->peer->killed) return true;
  const auto is_over = [&](const PlanEnd& other) {
    return isPartner(plan, other) && (other.closing || other.failure != UCS_OK);
  };
  if (status != UCS_ERR_CONNECTION_RESET) return !isOrderly();
  if (std::any_of(plans_.begin(), plans_.end(), is_over)) return true;
  const auto is_closing = [](const End& end) {
    return (end.closing && !end.node->killed) || end.closed_with == UCS_ERR_REJECTED;
  };
  return workers_destroyed_ || std::any_of(ends_.begin(), ends_.end(), is_closing);
}

/// It lives, and nothing has ended it.
bool Schedule::isSound(const PlanEnd& plan) noexcept {
  return isUsable(plan) && !plan.closing && !plan.end->peer->killed &&
         !UCS_STATUS_IS_ERR(plan.plan->getStatus());
}

void Schedule::startAndReady(PlanEnd& plan) {
  if (isSound(plan) && !plan.runs) start(plan);
  if (isSound(plan) && plan.runs && plan.sends) readyRest(plan);
}

/// So that each that has a partner gets to know it.
void Schedule::startPlans() {
  for (PlanEnd& plan : plans_) {
    if (isSound(plan) && (plan.runs || plan.plan->iterations() == 0)) startAndReady(plan);
  }
  settle();
}

/// In orderly weather whatever both ends have started ends.
void Schedule::levelPlans() {
  for (PlanEnd& plan : plans_) look(plan);
  for (PlanEnd& plan : plans_) {
    if (!plan.sends && plan.sender != nullptr) level(plan);
  }
  checkPairing();
}

/// Nobody reads a stream, which holds back what comes after it to the same peer.
bool Schedule::isHeldBack(const PlanEnd& receive, const PlanEnd& send) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const Job& job) {
    const Node* const peer = job.end == nullptr ? nullptr : job.end->peer;
    return job.kind == OperationKind::StreamSend && job.status == UCS_INPROGRESS &&
           ((job.node == send.node && peer == receive.node) ||
            (job.node == receive.node && peer == send.node));
  });
}

/// The two ends get as far as each other.
void Schedule::level(PlanEnd& receive) {
  PlanEnd& send = *receive.sender;
  for (int i = 0; i < kMostLevels && isSound(receive) && isSound(send); ++i) {
    const auto sent = send.plan->iterations(), received = receive.plan->iterations();
    if (sent == received) break;
    startAndReady(sent < received ? send : receive);
    settle();
    look(send);
    look(receive);
  }
  if (!isSound(receive) || !isSound(send) || isHeldBack(receive, send)) return;
  if (receive.runs || send.runs)
    wrong("both have started it, and it does not end: " + describe(receive) + " and " +
          describe(send) + "\n" + send.node->worker->describe() + "\n" +
          receive.node->worker->describe());
}

/// Where two nodes have one pair of endpoints: first prepared with first prepared.
void Schedule::checkPairing() {
  const auto ends = [&](const Node* node, const Node* peer) {
    return std::count_if(ends_.begin(), ends_.end(),
                         [&](const End& end) { return end.node == node && end.peer == peer; });
  };
  for (PlanEnd& receive : plans_) {
    const Node* const node = receive.node;
    const Node* const peer = receive.end->peer;
    if (receive.sends || receive.shape.bytes == 0 || ends(node, peer) != 1 || ends(peer, node) != 1)
      continue;
    std::size_t before = 0;
    bool is_sound = true;
    for (const PlanEnd& other : plans_) {
      const bool is_equal = !other.sends && other.end == receive.end && other.tag == receive.tag;
      if (is_equal && other.number < receive.number) ++before;
      if (is_equal || isPartner(other, receive)) is_sound = is_sound && isSound(other);
    }
    if (!is_sound) continue;
    for (const PlanEnd& send : plans_) {
      if (!isPartner(send, receive) || before-- != 0) continue;
      if (receive.sender != &send && !isHeldBack(receive, send))
        wrong("not prepared for each other: " + describe(receive) + " and " + describe(send));
      break;
    }
  }
}

/// Of two receives of one endpoint and tag the older has the older send.
void Schedule::checkPlanOrder() {
  for (const PlanEnd& plan : plans_) {
    checkRest(plan);
    const auto guard = plan.buffer.last(kGuardBytes);
    if (!plan.sends && !isUntouched(guard)) wrong("written behind its buffer: " + describe(plan));
  }
  for (const PlanEnd& older : plans_) {
    if (older.sender == nullptr) continue;
    for (const PlanEnd& newer : plans_) {
      if (newer.number <= older.number || newer.sender == nullptr || newer.end != older.end ||
          newer.tag != older.tag)
        continue;
      if (newer.sender->end != older.sender->end)
        wrong("two peers at one endpoint: " + describe(older) + " and " + describe(newer));
      if (newer.sender->number <= older.sender->number)
        wrong("out of order: " + describe(older) + " and " + describe(newer));
    }
  }
}

}  // namespace ucxx::sim
