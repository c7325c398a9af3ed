// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/armed.h"

#include <utility>

#include "core/condition_state.h"
#include "core/loop.h"
#include "core/repetition.h"
#include "core/transfers.h"

namespace ucxx::core {

void Armed::make(Operation& op, std::shared_ptr<ConditionState> condition) {
  auto* const armed = new Armed(op, std::move(condition));
  op.armed = armed;
  op.outcome.watch();
  op.continuations.add(armed->end_);
}

Armed::Armed(Operation& op_, std::shared_ptr<ConditionState> condition) noexcept
    : op(op_), condition_(std::move(condition)) {}

void Armed::setDeadline(std::chrono::milliseconds limit) noexcept {
  Conditions& conditions = op.loop->conditions();
  if (limit.count() == 0) return conditions.removeDeadline(*this);
  deadline_ = base::deadlineAfter(limit);
  conditions.setDeadline(*this);
}

void Armed::start() noexcept {
  setDeadline(condition_->options.transfer_timeout);
  is_late_ = false;
  if (condition_->options.repeat) return startRepetition();
  is_started_ = true;
  op.loop->unlistArmed(op);
  condition_->forget(*this);
  renew(op);
  op.loop->start(op);
}

/// For want of memory it ends as any repetition that fails.
void Armed::startRepetition() noexcept try {
  repetition_ = &makeRepetition(op, repetition_end_);
  op.loop->start(*repetition_);
} catch (const std::bad_alloc&) {
  endOfRepetition(UCS_ERR_NO_MEMORY);
}

void Armed::endOfRepetition(ucs_status_t status) noexcept {
  repetition_ = nullptr;
  setDeadline(std::chrono::milliseconds{0});
  if (is_late_ && status == UCS_ERR_CANCELED) status = UCS_ERR_TIMED_OUT;
  // Told before `op` may end, and this with it; the condition lives, since it looks, or is kept.
  const std::shared_ptr<ConditionState> condition = condition_;
  if (status == UCS_OK && op.cancel_requested.load(std::memory_order_relaxed))
    status = UCS_ERR_CANCELED;
  if (status != UCS_OK) {
    disarm(op);
    complete(op, status);
  }
  condition->repetitionEnded(status);
}

void Armed::timeOut() noexcept {
  Operation& moving = repetition_ != nullptr ? *repetition_ : op;
  if (moving.stage == Stage::Armed) {
    disarm(op);
    return complete(op, UCS_ERR_TIMED_OUT);
  }
  if (is_late_) {  // it was given up in vain: somebody else has its buffer
    if (moving.endpoint != nullptr) closeByForce(*moving.endpoint);
    return;
  }
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

bool disarm(Operation& op) noexcept {
  Armed& armed = *op.armed;
  if (armed.repetition() != nullptr) return false;
  op.loop->unlistArmed(op);
  armed.condition().forget(armed);
  op.loop->countUnstarted();
  return true;
}

void endUnstarted(Operation& op, ucs_status_t status) noexcept {
  op.loop->countUnstarted();
  complete(op, status);
}

}  // namespace ucxx::core
