// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/plan/plan_group.h"

#include <utility>

#include "core/condition/repetition.h"
#include "core/plan/plan.h"
#include "core/plan/plan_extra.h"
#include "core/request/cancel.h"
#include "core/request/continuations.h"
#include "core/request/outcome.h"
#include "core/request/requests.h"

namespace ucxx::core {

void GroupPart::onEnd() { group.hasEnded(*this); }

void PlanGroup::attach(GroupPart& part, Operation& op) noexcept {
  part.op = &op;
  planOf(op).place = {shared_from_this(), &part};
  ++left_;
}

void PlanGroup::add(Operation& op) {
  GroupPart& part = parts_.emplace_back(*this);
  op.outcome.holdAlone();
  op.outcome.watch();
  op.continuations.add(part);
  attach(part, op);
}

std::shared_ptr<PlanGroup> PlanGroup::again() const {
  auto group = std::make_shared<PlanGroup>(until);
  try {
    for (const GroupPart& part : parts_) {
      GroupPart& next = group->parts_.emplace_back(*group);
      group->attach(next, makeRepetition(*part.op, next));
    }
  } catch (...) {
    group->leave();
    throw;
  }
  return group;
}

std::unique_ptr<OperationExtra> PlanGroupExtra::again() const {
  const std::shared_ptr<PlanGroup> next = group->again();
  try {
    return std::make_unique<PlanGroupExtra>(next);
  } catch (...) {
    next->leave();
    throw;
  }
}

/// The count that is left keeps the whole from ending before all have been started.
void PlanGroup::start(Operation& whole) noexcept {
  const auto self = shared_from_this();
  whole_ = &whole;
  is_started_ = true;
  for (GroupPart& part : parts_) requestsOf(*part.op->loop).start(*part.op);
  countDown();
}

void PlanGroup::endUnstarted(ucs_status_t status) noexcept {
  const auto self = shared_from_this();
  is_started_ = true;
  for (GroupPart& part : parts_) endOfPlan(*part.op, status);
}

/// A part that was not started has two holders: the loop, and whoever would be told of its end.
void PlanGroup::leave() noexcept {
  const auto self = shared_from_this();
  whole_ = nullptr;
  if (is_started_) return;
  for (GroupPart& part : parts_) {
    Operation* const op = std::exchange(part.op, nullptr);
    if (op == nullptr) continue;  // there was no memory for it
    release(*op);
    release(*op);
  }
}

bool PlanGroup::withdraw() noexcept {
  const auto self = shared_from_this();
  Operation* const whole = std::exchange(whole_, nullptr);
  if (whole == nullptr) return false;  // it does so already
  for (GroupPart& part : parts_) {
    if (part.is_done) continue;
    if (part.op->stage == Stage::Queued)  // a callback of one that has been started cancels
      part.op->cancel_requested.store(true, std::memory_order_relaxed);
    else if (withdrawOperation(*part.op))
      complete(*part.op, UCS_ERR_CANCELED);
  }
  if (left_ == 0) return true;
  whole_ = whole;
  return false;
}

void PlanGroup::hasBegun(GroupPart& part) noexcept {
  if (until != StartUntil::Begun) return;
  if (part.op != nullptr) planOf(*part.op).endCount();
  isDone(part, UCS_OK);
}

void PlanGroup::hasEnded(GroupPart& part) noexcept {
  const Operation& op = *std::exchange(part.op, nullptr);
  if (op.result != UCS_OK && error_ == UCS_OK && !part.is_done) noteReason(op);
  isDone(part, op.result);
}

void PlanGroup::noteReason(const Operation& op) noexcept try {
  if (reason_.empty()) reason_ = planOf(op).reason;
} catch (const std::bad_alloc&) {
}

void PlanGroup::isDone(GroupPart& part, ucs_status_t status) noexcept {
  if (std::exchange(part.is_done, true)) return;
  if (error_ == UCS_OK) error_ = status;
  countDown();
}

void PlanGroup::countDown() noexcept {
  if (--left_ == 0 && whole_ != nullptr && !whole_->ended())
    complete(*std::exchange(whole_, nullptr), error_);
}

void PlanGroup::visitEndpoints(void (*visit)(EndpointCore&) noexcept) noexcept {
  const auto self = shared_from_this();
  for (GroupPart& part : parts_)
    if (!part.is_done) planOf(*part.op).visitEndpoints(visit);
}

void startPlanGroup(Operation& whole) { groupOf(whole).start(whole); }
bool withdrawPlanGroup(Operation& whole) noexcept { return groupOf(whole).withdraw(); }

std::vector<const void*> PlanGroup::buffers() const {
  std::vector<const void*> all;
  for (const GroupPart& part : parts_) all.push_back(planOf(*part.op).plan->terms.buffer);
  return all;
}

}  // namespace ucxx::core
