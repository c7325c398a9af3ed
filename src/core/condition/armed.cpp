// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/condition/armed.h"

#include <utility>

#include "core/condition/condition_state.h"
#include "core/condition/conditions.h"
#include "core/condition/repetition.h"
#include "core/condition/triggered_condition.h"
#include "core/loop/loop.h"
#include "core/loop/post.h"
#include "core/loop/posts.h"
#include "core/request/cancel.h"
#include "core/request/continuations.h"
#include "core/request/endpoint_core.h"
#include "core/request/outcome.h"
#include "core/request/requests.h"

namespace ucxx::core {

void Armed::attach(std::unique_ptr<Armed> armed) noexcept {
  Operation& op = armed->op;
  op.repeats = armed->condition_->options.repeat;
  op.outcome.watch();
  op.continuations.add(armed->end_);
  op.armed = armed.release();
}

Armed::Armed(Operation& op_, std::shared_ptr<TriggeredCondition> condition) noexcept
    : op(op_), condition_(std::move(condition)) {}

void Armed::setDeadline(std::chrono::milliseconds limit) noexcept {
  Conditions& conditions = conditionsOf(*op.loop);
  if (limit.count() == 0) return conditions.removeDeadline(*this);
  deadline_ = base::deadlineAfter(limit);
  conditions.setDeadline(*this);
}

void Armed::start() noexcept {
  setDeadline(condition_->options.transfer_timeout);
  is_late_ = false;
  op.stall_reported = false;
  if (condition_->options.repeat) return startRepetition();
  is_started_ = true;
  requestsOf(*op.loop).unlistArmed(op);
  condition_->forget(*this);
  if (op.extra != nullptr) op.extra->renew();
  requestsOf(*op.loop).start(op);
}

/// For want of memory it ends as any repetition that fails.
void Armed::startRepetition() noexcept try {
  op.since = base::Clock::coarse();
  repetition_ = &makeRepetition(op, repetition_end_);
  requestsOf(*op.loop).start(*repetition_);
} catch (const std::bad_alloc&) {
  endOfRepetition(UCS_ERR_NO_MEMORY);
}

namespace {

/// For want of memory it tells none.
void takeReason(Operation& op, const Operation& repetition) noexcept try {
  if (op.extra != nullptr && repetition.extra != nullptr) op.extra->takeReason(*repetition.extra);
} catch (const std::bad_alloc&) {
}

}  // namespace

/// What it has received is told by the request that the program has.
void Armed::take(const Operation& repetition) noexcept {
  takeReason(op, repetition);
  op.received = repetition.received;
  op.sender_tag = repetition.sender_tag;
  op.announced = repetition.announced;
}

void Armed::endOfRepetition(ucs_status_t status) noexcept {
  repetition_ = nullptr;
  setDeadline(std::chrono::milliseconds{0});
  status = statusOf(status);
  const bool is_over = op.endpoint != nullptr && op.endpoint->isOver();
  const ucs_status_t ending = is_over ? op.endpoint->overStatus() : ending_;
  // `op` may end here, and this object with it: the condition is told afterwards.
  const std::shared_ptr<TriggeredCondition> condition = condition_;
  const ucs_status_t last = status != UCS_OK ? status : ending;
  if (last != UCS_OK) (void)end(last);
  condition->repetitionEnded(status);
}

namespace {

void giveUpEndpointsOf(const Operation& moving) noexcept {
  const auto give_up = [](EndpointCore& endpoint) noexcept { endpoint.giveUp(); };
  if (moving.extra != nullptr && moving.extra->visitEndpoints(give_up)) return;
  if (moving.endpoint != nullptr) give_up(*moving.endpoint);
}

}  // namespace

void Armed::timeOut() noexcept {
  Operation& moving = repetition_ != nullptr ? *repetition_ : op;
  if (moving.stage == Stage::Armed) return (void)end(UCS_ERR_TIMED_OUT);
  if (is_late_) return giveUpEndpointsOf(moving);  // to take it back was in vain: its bytes move
  is_late_ = true;
  setDeadline(condition_->options.transfer_timeout);
  endOrRecall(moving, UCS_ERR_TIMED_OUT);
}

void Armed::End::onEnd() {
  const std::unique_ptr<Armed> ending(&armed);
  armed.op.armed = nullptr;
  armed.setDeadline(std::chrono::milliseconds{0});
  armed.condition_->ended(armed, armed.op.result);
}

void submitArmed(Loop& loop, Operation& op) {
  op.loop = &loop;
  op.outcome.holdAlone();
  if (op.endpoint != nullptr) op.endpoint->queued.fetch_add(1, std::memory_order_relaxed);
  op.submit_post.run = [](Loop&, Post& post) {
    Operation& queued = static_cast<OperationPost&>(post).op;
    if (queued.endpoint != nullptr) queued.endpoint->unqueueOne();
    armedOf(queued).condition().arm(armedOf(queued));
  };
  op.submit_post.for_thread = loop.options.delayed_submission;
  loop.posts.post(op.submit_post);
}

bool Armed::disarm() noexcept {
  if (repetition_ != nullptr) return false;
  requestsOf(*op.loop).unlistArmed(op);
  condition_->forget(*this);
  requestsOf(*op.loop).countUnstarted();
  return true;
}

/// The condition is told first, since a callback of `op` may trigger it.
bool Armed::end(ucs_status_t status) noexcept {
  if (!disarm()) return endWith(status), false;
  Operation& its_op = op;
  condition_->ended(*this, status);
  endUnbegun(its_op, status);
  return true;
}

void Armed::endUnstarted(ucs_status_t status) noexcept {
  Operation& its_op = op;
  requestsOf(*its_op.loop).countUnstarted();
  condition_->ended(*this, status);
  endUnbegun(its_op, status);
}

}  // namespace ucxx::core
