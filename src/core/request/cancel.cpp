// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/request/cancel.h"

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/list.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/request/arming.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation_actions.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"

namespace ucxx::core {
namespace {

/// Ends `op` if it can be ended now, without its peer.
bool tryEnd(Operation& op, ucs_status_t status) noexcept {
  if (op.stage == Stage::Armed) return op.armed->end(status);
  if (!withdrawOperation(op)) return op.stage == Stage::Moving && actionsOf(op).revoke(op, status);
  complete(op, status);
  return true;
}

/// Grows when an operation leaves one of the lists.
std::uint64_t changesOf(const Loop& loop) noexcept {
  return loop.counters.ended.value() + loop.counters.disarmed.value();
}

std::size_t endEach(PendingList& pending, ucs_status_t status,
                    bool (*end)(Operation&, ucs_status_t) noexcept) noexcept {
  std::size_t cancelled = 0;
  if (pending.empty()) return cancelled;
  Loop& loop = *pending.front()->loop;
  const std::uint64_t last = loop.lastOrder();  // what callbacks post is left
  for (Operation* op = pending.front(); op != nullptr && op->order <= last;) {
    Operation* next = pending.after(*op);
    const std::uint64_t before = changesOf(loop);
    // An armed one is counted twice, when it is disarmed and when it ends.
    const std::uint64_t own = op->stage == Stage::Armed ? 2 : 1;
    if (end(*op, status)) {
      ++cancelled;
      // The callback has ended or started others, perhaps the next: begin anew.
      if (changesOf(loop) != before + own) next = pending.front();
    }
    op = next;
  }
  return cancelled;
}

}  // namespace

bool withdrawOperation(Operation& op) noexcept {
  if (op.stage == Stage::Armed) return op.armed->disarm();
  return op.stage == Stage::Waiting && actionsOf(op).withdraw(op);
}

bool endOrRecall(Operation& op, ucs_status_t status) noexcept {
  return tryEnd(op, status) || (op.stage == Stage::Moving && actionsOf(op).recall(op, status));
}

void cancelOperation(Operation& op) noexcept {
  if (op.kind == OperationKind::Close) return op.endpoint->closeByForce();  // nobody waits any more
  if (endOrRecall(op, UCS_ERR_CANCELED)) return;
  if (op.outcome.isDisowned()) actionsOf(op).turnBack(op);
  if (op.ended()) return;
  if (op.stage == Stage::Armed) {  // it ends with its repetition
    Operation& repetition = *op.armed->repetition();
    return repetition.ended() ? void() : cancelOperation(repetition);
  }
  if (op.endpoint != nullptr && !std::exchange(op.cancelled, true))
    op.endpoint->canceling.fetch_add(1, std::memory_order_relaxed);
}

void endPending(PendingList& pending, ucs_status_t status) noexcept {
  endEach(pending, status, tryEnd);
}

std::size_t cancelPending(PendingList& pending, ucs_status_t status) noexcept {
  return endEach(pending, status, endOrRecall);
}

std::size_t cancelPending(EndpointCore& endpoint, ucs_status_t status) noexcept {
  std::size_t cancelled = cancelPending(endpoint.armed, status);
  cancelled += cancelPending(endpoint.sends, status);
  return cancelled + cancelPending(endpoint.others, status);
}

}  // namespace ucxx::core
