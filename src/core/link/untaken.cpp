// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/untaken.h"

#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/id128.h"
#include "base/id128_format.h"
#include "base/list.h"
#include "base/log.h"
#include "core/channel/port.h"
#include "core/condition/armed.h"
#include "core/link/endpoints.h"
#include "core/link/link.h"
#include "core/link/linked_endpoint.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/transfers.h"
#include "core/request/cancel.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

using Counting = EndpointState::Counting;

std::uint64_t bytesOf(const Operation& op) noexcept {
  if (op.kind != OperationKind::MultiSend) return op.length;
  std::uint64_t bytes = 0;
  for (const FrameInfo& frame : static_cast<const MultiSendExtra&>(*op.extra).frames)
    bytes += frame.size;
  return bytes;
}

/// Nobody will see how it ends: the loop alone holds it, or its condition, too.
bool isForgotten(const Operation& op) noexcept {
  const std::uint64_t library = op.armed == nullptr ? 1 : 2;
  return op.callback == nullptr &&
         (op.outcome.holders() == library || op.is_forgotten.load(std::memory_order_relaxed));
}

/// The condition of `op` has never started it: no message. A repetition is one, by itself.
bool hasNotStarted(const Operation& op) noexcept {
  return op.armed != nullptr && !armedOf(op).isStarted();
}

Operation* pendingClose(EndpointState& endpoint) noexcept {
  for (Operation* op = endpoint.others.front(); op != nullptr; op = endpoint.others.after(*op)) {
    if (op->kind == OperationKind::Close) return op;
  }
  return nullptr;
}

bool isCancelled(const Operation& op) noexcept {
  return op.cancel_requested.load(std::memory_order_relaxed);
}

/// By the error of a close.
bool isAnybodyTold(EndpointState& endpoint) noexcept {
  for (Operation* op = endpoint.others.front(); op != nullptr; op = endpoint.others.after(*op)) {
    if (op->kind == OperationKind::Close && !isCancelled(*op) && !isForgotten(*op)) return true;
  }
  return false;
}

/// All that was lost, and what still moves: whether it arrives nobody waits for.
Untaken takeLosses(EndpointState& endpoint) noexcept {
  countPending(endpoint);
  const bool is_told = std::exchange(endpoint.counting, Counting::None) == Counting::None;
  endpoint.owes_count = false;
  const Untaken untaken = std::exchange(endpoint.lost, {});
  return is_told ? Untaken() : untaken;
}

ucs_status_t statusOfLoss(const EndpointState& endpoint) noexcept {
  const ucs_status_t failure = endpoint.error.load(std::memory_order_relaxed);
  if (failure != UCS_OK) return failure;
  // The sends hear of a failure of the link before the endpoint does.
  const Link* const link = linkOf(endpoint);
  if (link != nullptr && link->failing != UCS_OK) return link->failing;
  if (link != nullptr && link->lost_status != UCS_OK) return link->lost_status;
  return endpoint.peer_closes ? UCS_ERR_CONNECTION_RESET : UCS_ERR_TIMED_OUT;
}

void warn(const EndpointState& endpoint, const char* what, const Untaken& untaken) noexcept try {
  const std::string peer = endpoint.inlet == nullptr ? "a worker" : toString(endpoint.inlet->peer);
  base::log(LogLevel::Warn, "endpoint", "an endpoint to {} {}: {} were not taken", peer, what,
            toString(untaken));
} catch (const std::bad_alloc&) {
  base::log(LogLevel::Warn, "endpoint", "an endpoint {}: {} messages were not taken", what,
            untaken.messages);
}

}  // namespace

std::string toString(const Untaken& untaken) {
  return fmt::format("{} message{} with {} bytes in all", untaken.messages,
                     untaken.messages == 1 ? "" : "s", untaken.bytes);
}

std::string lossesOf(Operation& close, ucs_status_t status) {
  const CloseExtra& extra = closeOf(close);
  if (extra.untaken.empty()) return {};
  const std::string what = toString(extra.untaken);
  if (status != UCS_ERR_TIMED_OUT) return fmt::format("; {} were not taken", what);
  return fmt::format(
      "; {} were not taken within {} ms: await what is sent, or close with a longer timeout", what,
      extra.timeout.count());
}

/// What nobody holds any more is counted from the start, the rest from the close on.
void LinkedEndpoint::countLoss(const Operation& op) noexcept {
  if (op.kind == OperationKind::MemGet || hasNotStarted(op)) return;
  if (counting >= Counting::Counted) return;
  if (isCancelled(op)) return;
  if (counting == Counting::Forgotten) {
    if (op.result == UCS_ERR_CANCELED || !isForgotten(op)) return;
    owes_count = true;
  }
  lost.add(bytesOf(op));
}

void countPending(EndpointState& endpoint) noexcept {
  if (endpoint.counting >= Counting::Counted) return;
  endpoint.counting = Counting::Counted;
  for (const Operation* op = endpoint.sends.front(); op; op = endpoint.sends.after(*op)) {
    if (op->kind != OperationKind::MemGet) endpoint.lost.add(bytesOf(*op));
  }
}

void countAllLosses(EndpointState& endpoint) noexcept {
  if (endpoint.counting == Counting::Forgotten) endpoint.counting = Counting::All;
}

void endOfFailed(EndpointState& endpoint) noexcept {
  if (endpoint.sends.empty()) return;
  if (pendingClose(endpoint) == nullptr)
    endpoint.owes_count = endpoint.counting != Counting::None;
  else
    cancelPending(endpoint.sends, endpoint.overStatus());
}

void closeAfterEnd(EndpointState& endpoint) noexcept {
  endStanding(endpoint);
  countAllLosses(endpoint);
  cancelPending(endpoint.sends, endpoint.overStatus());
  finishClose(endpoint, false);
}

void finishClose(EndpointState& endpoint, bool waits) noexcept {
  if (pendingClose(endpoint) == nullptr || (waits && !endpoint.sends.empty())) return;
  endpoint.close_deadline.clear();
  const Untaken untaken = takeLosses(endpoint);
  const ucs_status_t status = untaken.empty() ? UCS_OK : statusOfLoss(endpoint);
  if (!untaken.empty() && !isAnybodyTold(endpoint)) warn(endpoint, "was closed", untaken);
  while (Operation* close = pendingClose(endpoint)) {
    if (close->wait_node.linked()) endpoint.flushes.remove(*close);
    closeOf(*close).untaken = untaken;
    complete(*close, status != UCS_OK && isCancelled(*close) ? UCS_ERR_CANCELED : status);
  }
}

void warnOfLosses(Loop& loop) noexcept {
  Untaken untaken;
  endpointsOf(loop).each([&](EndpointState& endpoint) { untaken += takeLosses(endpoint); });
  if (untaken.empty()) return;
  base::log(LogLevel::Warn, "worker", "it ends: {} message{} with {} bytes in all were not taken",
            untaken.messages, untaken.messages == 1 ? "" : "s", untaken.bytes);
}

void warnOfLosses(EndpointState& endpoint) noexcept {
  const Untaken untaken = takeLosses(endpoint);
  if (!untaken.empty()) warn(endpoint, "was dropped", untaken);
}

}  // namespace ucxx::core
