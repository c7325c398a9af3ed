// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/flush_close.h"

#include <ucxx/request_flush.h>

#include "base/clock.h"
#include "base/completion.h"
#include "base/list.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/endpoint_end.h"
#include "core/link/endpoints.h"
#include "core/link/link.h"
#include "core/link/linked_endpoint.h"
#include "core/link/send_actions.h"
#include "core/link/stillness.h"
#include "core/link/untaken.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/onesided/accesses.h"
#include "core/request/cancel.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/requests.h"
#include "core/wire/wire.h"
#include "local/channel.h"

namespace ucxx::core {
namespace {

/// Pushes out what the channel still holds; a part of `op`.
void flushChannel(Operation& op) {
  Link& link = *linkOf(endpointOf(op));
  op.stage = Stage::Moving;
  ++op.parts;
  if (link.channel == ChannelKind::Self || link.state != Link::State::Up)
    return endPart(op, UCS_OK);
  // The memory of a peer that has gone is still mapped here: puts into it succeed, and nobody has
  // them.
  if (op.kind == OperationKind::Flush && link.local != nullptr && !link.local->isPeerThere())
    return endPart(op, UCS_ERR_CONNECTION_RESET);
  op.outcome.hold();  // a close may end at its deadline while the channel still flushes
  op.done = [](base::Completion& self, ucs_status_t status) {
    auto& flushed = static_cast<Operation&>(self);
    flushed.port->partEnded();
    if (!flushed.ended()) endPart(flushed, status);
    release(flushed);
  };
  op.port = &link;
  if (op.kind == OperationKind::Flush && link.accesses().isUnsettled()) link.accesses().settle(op);
  ++link.pending_parts;
  const ucs_status_t status = link.flush(op);
  if (status != UCS_INPROGRESS) op.done(op, status);
}

/// Nothing that was sent before is left: the peer is told, and the endpoint ends with the flush.
void sayClose(Operation& op) {
  EndpointState& endpoint = endpointOf(op);
  // On the self channel the other end closes inside, and may close this one in turn
  op.outcome.hold();
  if (endpoint.inlet->state == Port::State::Up)
    endpoint.inlet->sendControl(MessageKind::Close, endpoint);
  base::reached(base::Phase::CloseSent);
  if (!op.ended()) flushChannel(op);
  release(op);
}

void goOn(Operation& op) {
  op.stage = Stage::Moving;  // only once
  if (op.kind == OperationKind::Close) return sayClose(op);
  flushChannel(op);
}

/// Both ends close and wait for each other's receives, which do not come any more. What the peer
/// has begun to take is still waited for.
void giveUpSends(EndpointState& endpoint) {
  const auto goes_by_ucx = [&] {
    for (const Operation* op = endpoint.sends.front(); op; op = endpoint.sends.after(*op))
      if (op->announced && !op->recalling && op->claim == 0) return true;
    return false;
  };
  if (endpoint.inlet->channel == ChannelKind::Self) return closeNow(endpoint);
  cancelPending(endpoint.sends, UCS_ERR_CANCELED);
  if (goes_by_ucx()) closeNow(endpoint);  // nothing takes that back
}

/// `endpoint` connects, and nothing has been sent on it.
bool isWaitingForNothing(const EndpointState& endpoint) noexcept {
  return endpoint.phase == EndpointPhase::Connecting && endpoint.sends.empty();
}

void flushEndpoints(Operation& op) {
  for (EndpointState* endpoint : endpointsOf(*op.loop).all()) {
    if (endpoint->isOver() || isWaitingForNothing(*endpoint)) continue;
    const auto part = makeRequest<RequestFlush>(nullptr, OperationKind::Flush);
    ++op.parts;
    op.outcome.hold();  // it may be cancelled before its parts have ended
    part->operation().endpoint = endpoint;
    part->operation().callback = [&op, endpoint](ucs_status_t status,
                                                 const std::shared_ptr<void>&) {
      // A close has sent what was before it, too.
      const bool is_closed = status == UCS_ERR_CANCELED && endpoint->phase == EndpointPhase::Closed;
      if (!op.ended()) endPart(op, is_closed && !endpoint->is_cut_off ? UCS_OK : status);
      release(op);
    };
    requestsOf(*op.loop).submit(part->operation());
  }
}

/// A flush of the worker is one of every endpoint.
void startWorkerFlush(Operation& op) {
  op.stage = Stage::Moving;
  op.parts = 1;
  try {
    flushEndpoints(op);
  } catch (const std::bad_alloc&) {
    op.part_status = UCS_ERR_NO_MEMORY;
  }
  endPart(op, UCS_OK);
}

}  // namespace

bool isFlushing(const EndpointState& endpoint) noexcept {
  const Operation* op = endpoint.others.front();
  while (op != nullptr && (op->kind != OperationKind::Flush || op->stage != Stage::Moving))
    op = endpoint.others.after(*op);
  return op != nullptr;
}

void startFlush(Operation& op) {
  if (op.endpoint == nullptr) return startWorkerFlush(op);
  EndpointState& endpoint = endpointOf(op);
  if (endpoint.isOver()) return complete(op, endpoint.overStatus());
  endpoint.flushes.pushBack(op);
  endpoint.resumeFlushes();
}

bool withdrawFlush(Operation& op) noexcept {
  if (op.endpoint == nullptr || !op.wait_node.linked()) return false;
  op.endpoint->flushes.remove(op);
  return true;
}

bool revokeFlush(Operation& op, ucs_status_t status) noexcept {
  if (op.endpoint != nullptr) return revokeAccess(op, status);
  complete(op, status);
  return true;
}

void startClose(Operation& op) {
  EndpointState& endpoint = endpointOf(op);
  if (endpoint.isOver()) return closeAfterEnd(endpoint);
  if (endpoint.phase == EndpointPhase::Closing) {  // ends with the one that is under way
    op.stage = Stage::Moving;
    return;
  }
  const bool is_cancelled = op.cancel_requested.load(std::memory_order_relaxed);
  endpoint.phase = EndpointPhase::Closing;
  endpoint.recalls = endpoint.has_user;  // who only drops it gives nothing up
  countAllLosses(endpoint);
  CloseExtra& wanted = closeOf(op);
  if (wanted.timeout.count() < 0) wanted.timeout = op.loop->options.close_timeout;
  endpoint.close_deadline.set(base::deadlineAfter(wanted.timeout));
  endpoint.flushes.pushBack(op);
  endpoint.resumeFlushes();
  if (is_cancelled) return endpoint.closeByForce();
  sayClosing(endpoint);
  if (endpoint.peer_closes) giveUpSends(endpoint);
  // Nobody waits for a trigger. Last, since the callbacks may do anything.
  cancelPending(endpoint.armed, UCS_ERR_CANCELED);
}

void closeFlushed(Operation& op, ucs_status_t) noexcept { endEndpoint(endpointOf(op), UCS_OK); }

void sayClosing(EndpointState& endpoint) {
  if (endpoint.phase != EndpointPhase::Closing || endpoint.sends.empty()) return;
  if (endpoint.inlet->state == Port::State::Up)
    endpoint.inlet->sendControl(MessageKind::Closing, endpoint);
}

void onClosing(EndpointState& endpoint) {
  endpoint.peer_closes = true;
  if (endpoint.phase == EndpointPhase::Closing) giveUpSends(endpoint);
}

/// Those that wait when it ends, end with it; a close may still wait for sends that move.
void LinkedEndpoint::resumeFlushes() {
  if (isOver()) return finishClose(*this, true);
  while (Operation* op = isOver() ? nullptr : flushes.front()) {
    const Operation* send = sends.front();
    if (send != nullptr && send->order < op->order) return;
    if (op->kind == OperationKind::Flush && phase == EndpointPhase::Connecting) return;
    if (op->kind == OperationKind::Close && isFlushing(*this)) return;
    flushes.remove(*op);
    goOn(*op);
  }
}

void closeNow(EndpointState& endpoint) {
  if (endpoint.isOver()) return finishClose(endpoint, false);
  // What is still with this worker itself is lost below, and nothing takes its place.
  if (endpoint.recalls && endpoint.inlet->channel != ChannelKind::Self) {
    endpoint.revokes = true;
    cancelPending(endpoint.sends, UCS_ERR_CANCELED);
  }
  if (endpoint.isOver()) return finishClose(endpoint, false);  // with one of them
  if (endpoint.inlet->channel == ChannelKind::Self) countPending(endpoint);
  if (endpoint.inlet->state == Port::State::Up)
    endpoint.inlet->sendControl(MessageKind::Close, endpoint);
  endEndpoint(endpoint, UCS_OK);
}

void LinkedEndpoint::closeByForce() {
  closeNow(*this);
  if (recalls && !sends.empty() && inlet != nullptr) linkOf(*this)->stillness.watch();
}

void LinkedEndpoint::giveUp() {
  recalls = has_user;
  closeByForce();
}

void closeIfIdle(EndpointState& endpoint) {
  if (endpoint.sends.empty()) closeNow(endpoint);
}

}  // namespace ucxx::core
