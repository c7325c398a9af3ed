// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Prepared transfers that are started, and made ready, when a condition is triggered.

#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/prepared.h>

#include "api/plan_requests.h"
#include "api/prepared_groups.h"
#include "core/condition/condition_state.h"
#include "core/plan/plan.h"
#include "core/plan/plan_extra.h"
#include "core/request/operation_kind.h"

namespace ucxx {

using core::OperationKind;

namespace core {

void requireCondition(const Condition& condition, const char* call) {
  if (!condition)
    throw InvalidParamError(
        fmt::format("{}: the condition is none; make one, by Condition::host or another", call));
}

void requireNoNull(const std::vector<std::shared_ptr<Prepared>>& plans, const char* call) {
  for (std::size_t i = 0; i < plans.size(); ++i)
    if (plans[i] == nullptr)
      throw InvalidParamError(fmt::format("{}: plan {} of {} is null", call, i, plans.size()));
}

}  // namespace core

std::shared_ptr<Request> Prepared::start(const Condition& condition,
                                         RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  core::requireCondition(condition, "start");
  auto extra = std::make_unique<core::PlanExtra>(plan_, 0, false);
  extra->becomeStart();
  std::shared_ptr<const core::PostedStart> start = extra->posted;
  auto request = core::makeRequestOf(plan_, endpoint_, OperationKind::PreparedStart,
                                     std::move(extra), std::move(callback), std::move(data));
  condition.state()->post(plan_->loop, request->operation());
  const std::lock_guard lock(mutex_);
  posted_ = request;
  posted_start_ = std::move(start);
  return request;
}

std::shared_ptr<Request> Prepared::start(const Condition& condition, StartUntil until,
                                         RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  if (until == StartUntil::Ended) return start(condition, std::move(callback), std::move(data));
  core::requireCondition(condition, "start");
  return core::PreparedGroups::start(condition, {this}, until, std::move(callback),
                                     std::move(data));
}

std::shared_ptr<Request> Prepared::readyWith(const Condition& condition, std::size_t first,
                                             std::size_t last) {
  core::requireCondition(condition, "ready");
  auto extra = std::make_unique<core::PlanExtra>(plan_, 0, false);
  extra->first = first;
  extra->last = last;
  {
    const std::lock_guard lock(mutex_);
    extra->comes_after = posted_start_;
  }
  auto request =
      core::makeRequestOf(plan_, endpoint_, OperationKind::PreparedReady, std::move(extra));
  condition.state()->post(plan_->loop, request->operation());
  return request;
}

void startAll(const std::vector<std::shared_ptr<Prepared>>& plans) {
  core::requireNoNull(plans, "startAll");
  for (const auto& plan : plans) plan->start();
}

std::shared_ptr<Request> startAll(const Condition& condition,
                                  const std::vector<std::shared_ptr<Prepared>>& plans,
                                  StartUntil until, RequestCallbackUserFunction callback,
                                  RequestCallbackUserData data) {
  constexpr const char* kCall = "startAll";
  core::requireCondition(condition, kCall);
  return core::PreparedGroups::start(condition, core::PreparedGroups::checked(plans, kCall), until,
                                     std::move(callback), std::move(data));
}

}  // namespace ucxx
