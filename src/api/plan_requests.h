// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <ucxx/endpoint.h>
#include <ucxx/prepared.h>
#include <ucxx/request_tag.h>

#include "base/file_descriptor.h"
#include "core/plan/plan.h"
#include "core/plan/plan_extra.h"
#include "core/plan/plan_wire.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"

namespace ucxx::core {

/// A request of a plan, to be posted.
inline std::shared_ptr<Request> makeRequestOf(const std::shared_ptr<Plan>& plan,
                                              const std::shared_ptr<Endpoint>& endpoint,
                                              OperationKind kind, std::unique_ptr<PlanExtra> extra,
                                              RequestCallbackUserFunction&& callback = nullptr,
                                              RequestCallbackUserData&& data = nullptr) {
  base::requireNotForked();
  auto request = makeRequest<RequestTag>(endpoint, kind, std::move(callback), std::move(data));
  Operation& op = request->operation();
  op.loop = &plan->loop;
  op.endpoint = &endpoint->state();
  op.buffer = plan->terms.buffer;
  op.length = plan->terms.shape.bytes;
  op.tag = plan->terms.tag;
  op.extra = std::move(extra);
  return request;
}

/// Throws `InvalidParamError`, which names `call`.
void requireCondition(const Condition& condition, const char* call);
void requireNoNull(const std::vector<std::shared_ptr<Prepared>>& plans, const char* call);

}  // namespace ucxx::core
