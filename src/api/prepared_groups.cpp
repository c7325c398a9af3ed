// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "api/prepared_groups.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/worker.h>

#include "api/plan_requests.h"
#include "core/condition/condition_state.h"
#include "core/plan/plan.h"
#include "core/plan/plan_extra.h"
#include "core/plan/plan_group.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {
namespace {

/// Null: they are of several.
EndpointCore* commonEndpointOf(const std::vector<std::shared_ptr<Request>>& parts) {
  EndpointCore* const first = parts.front()->operation().endpoint;
  const bool is_of_all = std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
    return part->operation().endpoint == first;
  });
  return is_of_all ? first : nullptr;
}

/// The request of all of `parts`, which are of one worker. All are of the endpoint that they share,
/// or of the worker alone: an endpoint may go before the whole that it does not know of has ended.
std::shared_ptr<Request> makeWhole(const std::vector<std::shared_ptr<Request>>& parts,
                                   const std::shared_ptr<Endpoint>& endpoint, StartUntil until,
                                   RequestCallbackUserFunction&& callback,
                                   RequestCallbackUserData&& data) {
  const auto group = std::make_shared<PlanGroup>(until);
  auto extra = std::make_unique<PlanGroupExtra>(group);
  EndpointCore* const common = commonEndpointOf(parts);
  std::size_t bytes = 0;
  for (const auto& part : parts) {
    Operation& op = part->operation();
    op.endpoint = common;
    bytes += op.length;
    group->add(op);
  }
  std::shared_ptr<Component> parent = endpoint;
  if (common == nullptr) parent = endpoint->getWorker();
  auto whole = makeRequest<RequestTag>(std::move(parent), OperationKind::PreparedGroup,
                                       std::move(callback), std::move(data));
  whole->operation().endpoint = common;
  whole->operation().length = bytes;
  whole->operation().extra = std::move(extra);
  return whole;
}

}  // namespace

PreparedGroups::Plans PreparedGroups::checked(const std::vector<std::shared_ptr<Prepared>>& plans,
                                              const char* call) {
  requireNoNull(plans, call);
  if (plans.empty())
    throw InvalidParamError(fmt::format("{}: there are no plans; give at least one", call));
  Plans all;
  std::unordered_map<const Prepared*, std::size_t> known;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (const auto [same, is_new] = known.emplace(plans[i].get(), i); !is_new)
      throw InvalidParamError(
          fmt::format("{}: plan {} of {} is plan {} once more; each begins one iteration", call, i,
                      plans.size(), same->second));
    if (&plans[i]->plan_->loop != &plans[0]->plan_->loop)
      throw InvalidParamError(
          fmt::format("{}: plan {} of {} is of another worker than plan 0; call it for each worker",
                      call, i, plans.size()));
    all.push_back(plans[i].get());
  }
  return all;
}

std::shared_ptr<Request> PreparedGroups::start(const Condition& condition, const Plans& plans,
                                               StartUntil until,
                                               RequestCallbackUserFunction&& callback,
                                               RequestCallbackUserData&& data) {
  std::vector<std::shared_ptr<Request>> parts;
  for (Prepared* const plan : plans) {
    auto extra = std::make_unique<PlanExtra>(plan->plan_, 0, false);
    extra->becomeStart();
    parts.push_back(makeRequestOf(plan->plan_, plan->endpoint_, OperationKind::PreparedStart,
                                  std::move(extra)));
  }
  const auto whole =
      makeWhole(parts, plans[0]->endpoint_, until, std::move(callback), std::move(data));
  condition.state()->post(plans[0]->plan_->loop, whole->operation());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const std::lock_guard lock(plans[i]->mutex_);
    plans[i]->posted_ = whole->operation().repeats ? whole : parts[i];
    plans[i]->posted_start_ = planOf(parts[i]->operation()).posted;
  }
  return whole;
}

std::shared_ptr<Request> PreparedGroups::endOf(Prepared& plan) {
  auto extra = std::make_unique<PlanExtra>(plan.plan_, 0, false);
  extra->awaits_turn = true;
  return makeRequestOf(plan.plan_, plan.endpoint_, OperationKind::PreparedEnd, std::move(extra));
}

std::shared_ptr<Request> PreparedGroups::endInTurn(const Condition& condition, const Plans& plans) {
  std::vector<std::shared_ptr<Request>> parts;
  for (Prepared* const plan : plans) parts.push_back(endOf(*plan));
  auto request = parts.size() == 1
                     ? parts.front()
                     : makeWhole(parts, plans[0]->endpoint_, StartUntil::Ended, {}, nullptr);
  condition.state()->post(plans[0]->plan_->loop, request->operation());
  return request;
}

std::shared_ptr<Request> PreparedGroups::lastPosted(Prepared& plan) {
  const std::lock_guard lock(plan.mutex_);
  return plan.posted_;
}

bool PreparedGroups::endsWithIteration(const Request& start) noexcept {
  const Operation& op = start.operation();
  return op.kind != OperationKind::PreparedGroup || groupOf(op).until == StartUntil::Ended;
}

}  // namespace ucxx::core
