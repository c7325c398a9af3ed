// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/recalls.h"

#include <utility>

#include "base/clock.h"
#include "base/list.h"
#include "core/bulk/offers.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/carrier.h"
#include "core/link/link.h"
#include "core/loop/counters.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/match/recallable_messages.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/chunks.h"
#include "local/claims.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

/// A close takes back what is in the middle of a stream, and nobody knows of it at the other end.
/// Who cancels a send knows.
local::Recalled howOf(const Operation& op) noexcept {
  const EndpointState& endpoint = endpointOf(op);
  const bool is_by_close = endpoint.phase == EndpointPhase::Closing || endpoint.isOver();
  const bool is_cancelled = op.cancel_requested.load(std::memory_order_relaxed);
  return op.kind == OperationKind::StreamSend && is_by_close && !is_cancelled
             ? local::Recalled::Gap
             : local::Recalled::AsIfNeverSent;
}

}  // namespace

local::Claim Recalls::claimFor(const Operation& op, bool eager) {
  // A prepared one always has a receive.
  if (op.kind == OperationKind::PreparedSend) return 0;
  if (eager && !hasFramesApart(op)) return 0;
  return offers_.openClaim(link_.local->ownEnd().claims);
}

bool Recalls::recall(Operation& op, ucs_status_t status) noexcept {
  const bool is_self = link_.channel == ChannelKind::Self;
  if (!is_self && !link_.isSending()) return false;
  op.outcome.hold();
  is_self ? recallFromSelf(op, status) : recallFromPeer(op, status);
  const bool has_ended = op.ended();
  release(op);
  return has_ended;
}

void Recalls::recallFromPeer(Operation& op, ucs_status_t status) noexcept {
  const local::Recalled how = howOf(op);
  const bool is_recalled = op.claim != 0 && offers_.recall(op, link_.local->ownEnd().claims, how);
  if (is_recalled || (op.claim == 0 && mayAskFor(op))) {
    op.recalling = true;
    link_.sendControl(MessageKind::Recall, op.header.sequence | gapBit(how));
  }
  if (is_recalled) return offers_.forget(op, status, how);
  if (!mayRevoke(op)) return;
  EndpointState& endpoint = endpointOf(op);
  if (endpoint.revokes || endpoint.isOver()) return offers_.revoke(op, status, how);
  if (!endpoint.recall.deadline.isSet()) awaitAnswer(endpoint);
}

/// The payload of `op` is still at this side, which has announced it, not UCX.
bool Recalls::mayRevoke(const Operation& op) const noexcept {
  return link_.channel == ChannelKind::Ucp && op.recalling &&
         !(comesFromDevice(op) && ucp::mayHaveCuda());
}

void Recalls::awaitAnswer(EndpointState& endpoint) noexcept {
  endpoint.recall.messages = link_.messagesHandled();
  endpoint.recall.deadline.set(base::deadlineAfter(link_.loop.options.close_timeout));
}

void Recalls::endUnanswered(EndpointState& endpoint) noexcept {
  const bool is_silent = link_.messagesHandled() == endpoint.recall.messages;
  for (Operation* op = endpoint.sends.front(); op != nullptr;) {
    Operation* const next = endpoint.sends.after(*op);
    if (!mayRevoke(*op)) {
      op = next;
      continue;
    }
    if (!is_silent) return awaitAnswer(endpoint);
    const std::uint64_t ended = link_.loop.counters.ended.value();
    offers_.revoke(*op, UCS_ERR_CANCELED, howOf(*op));
    // The callback may have ended others, perhaps the next: what is left is looked at again.
    op = link_.loop.counters.ended.value() > ended + 1 ? endpoint.sends.front() : next;
  }
}

/// The peer, to drop it: only once.
bool Recalls::mayAskFor(const Operation& op) const noexcept {
  if (op.recalling || !link_.fragments().own_announcements) return false;
  if (op.kind == OperationKind::PreparedSend) return false;
  return (op.announced && !isAnnouncedByUcx(link_, op)) || hasFramesApart(op);
}

void Recalls::recallFromSelf(Operation& op, ucs_status_t status) noexcept {
  const ucs_status_t before = std::exchange(op.part_status, status);  // the drop may end it
  if (!recallable_.drop(op.header.sequence)) op.part_status = before;
}

}  // namespace ucxx::core
