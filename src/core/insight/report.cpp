// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What `describe` and `dump` say, for programs.

#include <ucxx/report.h>

#include "base/clock.h"
#include "base/id128.h"
#include "base/list.h"
#include "core/channel/port.h"
#include "core/condition/armed.h"
#include "core/condition/triggered_condition.h"
#include "core/insight/describe.h"
#include "core/link/endpoints.h"
#include "core/link/link.h"
#include "core/link/pairs.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_plans.h"
#include "core/match/endpoint_state.h"
#include "core/meet/links.h"
#include "core/plan/plan.h"
#include "core/request/endpoint_core.h"
#include "core/request/history.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "core/worker/worker_state.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

std::string errorOf(ucs_status_t status, const std::string& more) {
  return status == UCS_OK ? std::string() : ucp::statusText(status) + more;
}

OperationReport reportOf(const Operation& op, base::TimePoint now) {
  return {.kind = toString(op.kind),
          .endpoint = op.endpoint != nullptr ? op.endpoint->key : 0,
          .length = op.length,
          .tag = op.tag,
          .state = toString(op.stage),
          .since_s = seconds(now - op.since),
          .took_s = 0,
          .condition = op.stage == Stage::Armed ? armedOf(op).condition().describe() : ""};
}

OperationReport reportOf(const EndedOperation& op, base::TimePoint now) {
  return {.kind = toString(op.kind),
          .endpoint = op.endpoint,
          .length = op.length,
          .tag = op.tag,
          .state = ucp::statusText(op.status),
          .since_s = seconds(now - op.until),
          .took_s = seconds(op.until - op.since),
          .condition = ""};
}

void report(std::vector<OperationReport>& out, const PendingList& pending, base::TimePoint now) {
  for (const Operation* op = pending.front(); op != nullptr; op = pending.after(*op))
    out.push_back(reportOf(*op, now));
}

EndpointReport reportOf(const EndpointState& endpoint, base::TimePoint now) {
  EndpointReport result{.endpoint = endpoint.key,
                        .state = toString(endpoint.phase.load()),
                        .error = errorOf(endpoint.error, endpoint.reason)};
  report(result.pending, endpoint.armed, now);
  report(result.pending, endpoint.sends, now);
  report(result.pending, endpoint.others, now);
  for (const auto& plan : endpoint.plans.all) result.prepared.push_back(plan->report());
  result.unmatched_prepared_sends = endpoint.plans.offers.size();
  return result;
}

PeerReport reportOf(const Link& link, base::TimePoint now) {
  PeerReport result{.worker = toString(link.peer),
                    .address = placeOf(link),
                    .channel = toString(link.channel),
                    .state = stateOf(link),
                    .error = errorOf(link.error, link.failure),
                    .counters = link.counters};
  for (const EndpointState* endpoint : link.pairs().all())
    result.endpoints.push_back(reportOf(*endpoint, now));
  return result;
}

}  // namespace

WorkerReport WorkerState::report() {
  const base::TimePoint now = base::Clock::now();
  WorkerReport result{.worker = toString(id())};
  for (const auto& link : links->all()) result.peers.push_back(reportOf(*link, now));
  for (const EndpointState* endpoint : endpoints.all()) {
    if (endpoint->isOver()) result.ended.push_back(reportOf(*endpoint, now));
  }
  core::report(result.pending, requests.armed, now);
  core::report(result.pending, requests.pending, now);
  requests.history.visit(
      now, [&](const EndedOperation& op) { result.recent.push_back(reportOf(op, now)); });
  return result;
}

}  // namespace ucxx::core
