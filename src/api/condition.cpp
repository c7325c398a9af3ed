// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <utility>

#include <fmt/format.h>

#include <ucxx/condition.h>
#include <ucxx/exception.h>

#include "core/condition/condition_state.h"
#include "core/condition/triggered_condition.h"

namespace ucxx {

/// The last copy drops it; the loop may keep it for longer.
Condition::Condition(std::shared_ptr<core::ConditionState> state)
    : handle_(state.get(), [state](core::ConditionState*) { state->drop(); }) {}

Condition Condition::host(const ConditionOptions& options) {
  return Condition(std::make_shared<core::TriggeredCondition>(core::ConditionKind::Host, options));
}

core::ConditionState& Condition::required(const char* call) const {
  if (handle_ == nullptr)
    throw InvalidParamError(
        fmt::format("{}: the condition is none; make one, by Condition::host()", call));
  return *handle_;
}

void Condition::trigger() const { required("trigger").trigger(); }

void Condition::close() const { required("close").close(); }

std::uint64_t Condition::epoch() const noexcept {
  return handle_ == nullptr ? 0 : handle_->epoch();
}

ucs_status_t Condition::lastStatus() const noexcept {
  return handle_ == nullptr ? UCS_INPROGRESS : handle_->lastStatus();
}

bool Condition::isOver() const noexcept { return handle_ == nullptr || handle_->isOver(); }

bool Condition::wait(std::uint64_t epoch, std::chrono::nanoseconds timeout) const {
  return required("wait").wait(epoch, timeout);
}

}  // namespace ucxx
