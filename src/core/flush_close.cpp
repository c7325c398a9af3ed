// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <ucxx/request_flush.h>

#include "core/loop.h"
#include "core/transfers.h"

namespace ucxx::core {
namespace {

/// Pushes out what UCX still holds; a part of `op`.
void flushChannel(Operation& op) {
  Link& link = *op.endpoint->link;
  op.stage = Stage::Moving;
  ++op.parts;
  if (link.ucp == nullptr || link.state != Link::State::Up) return endPart(op, UCS_OK);
  op.outcome.hold();  // a close may end at its deadline while UCX still flushes
  op.done = [](ucp::Completion& self, ucs_status_t status) {
    auto& flushed = static_cast<Operation&>(self);
    --flushed.channel_link->pending_parts;
    if (!flushed.ended()) endPart(flushed, status);
    release(flushed);
  };
  op.channel_link = &link;
  ++link.pending_parts;
  const ucs_status_t status = link.ucp->flush(op);
  if (status != UCS_INPROGRESS) op.done(op, status);
}

/// Nothing that was sent before is left: the peer is told, and the endpoint ends with the flush.
void sayClose(Operation& op) {
  EndpointState& endpoint = *op.endpoint;
  // On the self channel the other end closes inside, and may close this one in turn
  op.outcome.hold();
  if (endpoint.link->state == Link::State::Up)
    endpoint.link->sendControl(MessageKind::Close, endpoint);
  if (!op.ended()) flushChannel(op);
  release(op);
}

bool isFlush(const Operation& op) noexcept {
  return op.kind == OperationKind::Flush || op.kind == OperationKind::Close;
}

Operation* firstWaitingFlush(EndpointState& endpoint) noexcept {
  for (Operation* op = endpoint.pending.front(); op != nullptr; op = endpoint.pending.after(*op)) {
    if (isFlush(*op) && op->stage == Stage::Waiting) return op;
  }
  return nullptr;
}

void goOn(Operation& op) {
  op.stage = Stage::Moving;  // only once
  --op.endpoint->flushes;
  if (op.kind == OperationKind::Close) return sayClose(op);
  flushChannel(op);
}

/// A flush of the worker is one of every endpoint.
void startWorkerFlush(Operation& op) {
  op.stage = Stage::Moving;
  op.parts = 1;
  for (EndpointState* endpoint : op.loop->endpoints()) {
    if (endpoint->isOver() || endpoint->phase == EndpointPhase::Closing) continue;
    ++op.parts;
    const auto part = makeRequest<RequestFlush>(nullptr, OperationKind::Flush);
    part->operation().endpoint = endpoint;
    part->operation().callback = [&op](ucs_status_t status, const std::shared_ptr<void>&) {
      endPart(op, status);
    };
    op.loop->submit(part->operation());
  }
  endPart(op, UCS_OK);
}

}  // namespace

void startFlush(Operation& op) {
  if (op.endpoint == nullptr) return startWorkerFlush(op);
  EndpointState& endpoint = *op.endpoint;
  if (endpoint.isOver()) return complete(op, endpoint.overStatus());
  ++endpoint.flushes;
  resumeFlushes(endpoint);
}

void startClose(Operation& op) {
  EndpointState& endpoint = *op.endpoint;
  if (endpoint.isOver()) return complete(op, UCS_OK);
  if (endpoint.phase == EndpointPhase::Closing) {  // ends with the one that is under way
    op.stage = Stage::Moving;
    return;
  }
  endpoint.phase = EndpointPhase::Closing;
  endpoint.close_deadline = base::deadlineAfter(op.loop->options.close_timeout);
  op.loop->needsTimeAt(endpoint.close_deadline);
  ++endpoint.flushes;
  resumeFlushes(endpoint);
}

void resumeFlushes(EndpointState& endpoint) {
  while (endpoint.flushes != 0) {
    Operation* op = firstWaitingFlush(endpoint);
    if (op == nullptr || isSending(endpoint, op)) return;
    goOn(*op);
  }
}

void closeNow(EndpointState& endpoint) {
  if (endpoint.isOver()) return;
  if (endpoint.link->state == Link::State::Up)
    endpoint.link->sendControl(MessageKind::Close, endpoint);
  endEndpoint(endpoint, UCS_OK);
}

void closeIfIdle(EndpointState& endpoint) {
  if (!isSending(endpoint)) closeNow(endpoint);
}

}  // namespace ucxx::core
