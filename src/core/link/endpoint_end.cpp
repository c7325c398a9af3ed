// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/endpoint_end.h"

#include <cstddef>
#include <exception>
#include <utility>

#include "base/list.h"
#include "base/log.h"
#include "core/channel/port.h"
#include "core/condition/armed.h"
#include "core/link/calling.h"
#include "core/link/flush_close.h"
#include "core/link/link.h"
#include "core/link/recalls.h"
#include "core/link/untaken.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/landing.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/onesided/accesses.h"
#include "core/plan/plan.h"
#include "core/request/operation_actions.h"
#include "core/request/outcome.h"

namespace ucxx::core {
namespace {

/// Ends `op` if it can be ended now, without its peer.
bool tryEnd(Operation& op, ucs_status_t status) noexcept {
  if (op.stage == Stage::Armed) return endArmed(op, status);
  if (!withdrawOperation(op)) return op.stage == Stage::Moving && actionsOf(op).revoke(op, status);
  complete(op, status);
  return true;
}

/// Grows when an operation leaves one of the lists.
std::uint64_t changesOf(const Loop& loop) noexcept {
  return loop.counters.ended.value() + loop.counters.disarmed.value();
}

std::size_t endPending(PendingList& pending, ucs_status_t status,
                       bool (*end)(Operation&, ucs_status_t) noexcept) noexcept {
  std::size_t cancelled = 0;
  if (pending.empty()) return cancelled;
  Loop& loop = *pending.front()->loop;
  const std::uint64_t last = loop.lastOrder();  // what callbacks post is left
  for (Operation* op = pending.front(); op != nullptr && op->order <= last;) {
    Operation* next = pending.after(*op);
    const std::uint64_t before = changesOf(loop);
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

void runCloseCallback(EndpointState& endpoint) noexcept {
  try {
    // Moved out: it may drop the endpoint, or be replaced, while it runs.
    const auto callback = std::exchange(endpoint.close_callback, nullptr);
    const auto data = std::exchange(endpoint.close_data, nullptr);
    if (callback) callback(endpoint.error, data);
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "endpoint", "a close callback threw: {}", error.what());
  } catch (...) {
    base::log(LogLevel::Error, "endpoint", "a close callback threw");
  }
}

void startSend(Operation& op) {
  if (op.endpoint->isOver()) return complete(op, op.endpoint->overStatus());
  linkOf(*op.endpoint)->send(op);
}

bool withdrawSend(Operation& op) noexcept {
  if (!op.wait_node.linked()) return false;
  linkOf(*op.endpoint)->withdraw(op);
  return true;
}

bool revokeAccess(Operation& op, ucs_status_t status) noexcept {
  return linkOf(*op.port).accesses().revoke(op, status);
}

bool endOrRecall(Operation& op, ucs_status_t status) noexcept {
  if (tryEnd(op, status)) return true;
  const bool is_send = isOutgoing(op.kind) && !isOneSided(op.kind);
  return is_send && op.stage == Stage::Moving && linkOf(*op.port).recalls().recall(op, status);
}

void cancelOperation(Operation& op) noexcept {
  if (op.kind == OperationKind::Close) return closeByForce(*op.endpoint);  // nobody waits any more
  if (endOrRecall(op, UCS_ERR_CANCELED)) return;
  if (op.outcome.isDisowned()) turnBack(op);
  if (op.ended()) return;
  if (op.stage == Stage::Armed) {  // it ends with its repetition
    Operation& repetition = *op.armed->repetition();
    return repetition.ended() ? void() : cancelOperation(repetition);
  }
  if (op.endpoint != nullptr && !std::exchange(op.cancelled, true))
    op.endpoint->canceling.fetch_add(1, std::memory_order_relaxed);
}

std::size_t cancelPending(PendingList& pending, ucs_status_t status) noexcept {
  return endPending(pending, status, endOrRecall);
}

std::size_t cancelPending(EndpointState& endpoint, ucs_status_t status) noexcept {
  std::size_t cancelled = cancelPending(endpoint.armed, status);
  cancelled += cancelPending(endpoint.sends, status);
  return cancelled + cancelPending(endpoint.others, status);
}

void endEndpoint(EndpointState& endpoint, ucs_status_t status) noexcept {
  if (endpoint.isOver()) return;
  if (status != UCS_OK && endpoint.inlet != nullptr && endpoint.reason.empty())
    tellWhy(endpoint, endpoint.inlet->failure);
  endpoint.is_cut_off = !endpoint.sends.empty() || isFlushing(endpoint);
  endpoint.error = status;
  endpoint.phase = status == UCS_OK ? EndpointPhase::Closed : EndpointPhase::Failed;
  if (endpoint.inlet != nullptr) {
    if (endpoint.listed) linkOf(endpoint)->calling.is_unwanted = true;
    linkOf(endpoint)->drop(endpoint);
  }
  runCloseCallback(endpoint);
  // What came before the end can still be received, unless this side closed.
  if (status == UCS_OK) {
    while (!endpoint.am_held.empty()) refuseReceiver(endpoint, endpoint.overStatus());
    discardMessages(endpoint);
  }
  if (status == UCS_OK || !endpoint.has_user) endStanding(endpoint);
  endStreamReceives(endpoint);
  endPlans(endpoint);
  // What the peer knows of it may still take: its receives do not need the endpoint.
  for (PendingList* pending : {&endpoint.armed, &endpoint.sends, &endpoint.others})
    endPending(*pending, endpoint.overStatus(), tryEnd);
  revokeSends(endpoint);
  if (status == UCS_OK) linksOf(endpoint.loop).revokeReceives(endpoint);
  const bool has_failed = status != UCS_OK;
  if (has_failed) endOfFailed(endpoint);
  finishClose(endpoint, has_failed);
  endpoint.review.ask();
}

}  // namespace ucxx::core
