// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What is wanted when something hangs: all that is pending and the last that has ended, and the
// report of requests that are pending for too long.

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/log.h"
#include "core/insight/describe.h"
#include "core/link/endpoints.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_plans.h"
#include "core/match/endpoint_state.h"
#include "core/plan/plan.h"
#include "core/request/endpoint_core.h"
#include "core/request/history.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/requests.h"
#include "core/worker/worker_state.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

constexpr std::size_t kMostShown = 256;  // pending operations
/// Dumps of stalled requests are so many limits apart.
constexpr int kLimitsOfADump = 10;

std::string nameOf(std::uint64_t endpoint) {
  return endpoint == 0 ? "no endpoint" : fmt::format("endpoint {:#x}", endpoint);
}

std::string lineOf(const EndedOperation& op, base::TimePoint now) {
  return fmt::format("  {:.3f} s ago: {}, {}, {}, took {:.3f} s\n", seconds(now - op.until),
                     describeTransfer(op.kind, op.length, op.tag), nameOf(op.endpoint),
                     ucp::statusText(op.status), seconds(op.until - op.since));
}

/// Who reads the log may prepare others meanwhile, or drop some.
void reportStalledPlans(Loop& loop, const EndpointPlans& plans) {
  for (std::size_t i = 0; i < plans.all.size(); ++i) {
    const std::shared_ptr<Plan> plan = plans.all[i];
    if (!plan->isNewlyStalled(loop.options.stall_report)) continue;
    base::log(LogLevel::Warn, "worker", "stalled: {}, in progress for more than {:.3f} s",
              plan->describe(), seconds(loop.options.stall_report));
    loop.counters.stalled_requests.add();
  }
}

}  // namespace

/// The oldest first.
std::vector<const Operation*> WorkerState::pending() const {
  std::vector<const Operation*> all;
  const auto take = [&](const PendingList& list) {
    for (const Operation* op = list.front(); op != nullptr; op = list.after(*op)) all.push_back(op);
  };
  take(requests.pending);
  take(requests.armed);
  for (const EndpointState* endpoint : endpoints.all()) {
    take(endpoint->armed);
    take(endpoint->sends);
    take(endpoint->others);
  }
  std::sort(all.begin(), all.end(),
            [](const Operation* a, const Operation* b) { return a->order < b->order; });
  return all;
}

std::string WorkerState::dump() {
  std::string out = describe();
  const std::vector<const Operation*> operations = pending();
  out += fmt::format("pending, the oldest first: {}, and {} posts that the loop has not seen\n",
                     operations.size(), stats().queue_depth);
  for (std::size_t i = 0; i < std::min(operations.size(), kMostShown); ++i) {
    const Operation& op = *operations[i];
    out += fmt::format("  {}, {}\n", describeOperation(op),
                       nameOf(op.endpoint != nullptr ? op.endpoint->key : 0));
  }
  if (operations.size() > kMostShown)
    out += fmt::format("  ... and {} younger ones\n", operations.size() - kMostShown);
  std::size_t plans = 0;
  for (const EndpointState* endpoint : endpoints.all()) {
    for (const auto& plan : endpoint->plans.all)
      if (plan->status() == UCS_INPROGRESS && plans++ < kMostShown)
        out += fmt::format("  {}, {}\n", plan->describe(), nameOf(endpoint->key));
  }
  out += fmt::format(
      "ended, the newest last: the last {} of {}, beside {} that ended in the call that posted "
      "them\n",
      std::min<std::uint64_t>(requests.history.count(), History::kSize), requests.history.count(),
      counters.inline_completions.value());
  const base::TimePoint now = base::Clock::now();
  requests.history.visit(now, [&](const EndedOperation& op) { out += lineOf(op, now); });
  return out;
}

/// A line of the log for each of its lines.
void WorkerState::logDump() {
  if (!base::logs(LogLevel::Warn)) return;
  const std::string text = dump();
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    base::log(LogLevel::Warn, "worker", "{}", rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

/// Tells of each request once, when it has become older than the limit, and of each iteration of a
/// plan.
void WorkerState::reportStalls() noexcept try {
  if (options.stall_report.count() == 0) return;
  needsTimeAt(now() + options.stall_report);
  const auto limit = now() - options.stall_report;
  const std::uint64_t before = counters.stalled_requests.value();
  const auto report = [&](const PendingList& pending) {
    for (Operation* op = pending.front(); op != nullptr; op = pending.after(*op)) {
      if (op->since > limit) return needsTimeAt(op->since + options.stall_report);
      if (std::exchange(op->stall_reported, true)) continue;
      base::log(LogLevel::Warn, "worker", "stalled: {}", describeOperation(*op));
      counters.stalled_requests.add();
    }
  };
  report(requests.pending);
  report(requests.armed);
  for (EndpointState* endpoint : endpoints.all()) {
    report(endpoint->armed);
    report(endpoint->sends);
    report(endpoint->others);
    reportStalledPlans(*this, endpoint->plans);
  }
  if (counters.stalled_requests.value() == before || now() < next_dump_) return;
  next_dump_ = now() + kLimitsOfADump * base::Duration(options.stall_report);
  logDump();
} catch (const std::bad_alloc&) {  // a lost report
}

}  // namespace ucxx::core
