// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// A message whose payload is still here is its sender's again: it is as if it had never been sent.
// Through a ring a claim in shared memory says at once who has it. Elsewhere the receiver is asked,
// and drops it, or has begun to take it. Either way it hears of it, and forgets the message.

#include <algorithm>
#include <new>
#include <utility>

#include "base/clock.h"
#include "base/list.h"
#include "core/bulk/grants.h"
#include "core/bulk/incoming_payloads.h"
#include "core/bulk/offers.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/endpoint_state.h"
#include "core/link/link.h"
#include "core/loop/counters.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/match/kept_messages.h"
#include "core/match/transfers.h"
#include "core/request/operation.h"
#include "core/request/outcome.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/chunks.h"
#include "local/claims.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

bool hasFrames(const Operation& op, bool (*chosen)(const FrameInfo&) noexcept) noexcept {
  if (op.kind != OperationKind::MultiSend) return false;
  const auto& frames = static_cast<const MultiSendExtra&>(*op.extra).frames;
  return std::any_of(frames.begin(), frames.end(), chosen);
}

bool isApart(const FrameInfo& frame) noexcept { return !frame.packed; }
bool isOnDevice(const FrameInfo& frame) noexcept { return frame.cuda && ucp::mayHaveCuda(); }

/// A close takes back what is in the middle of a stream, and nobody knows of it at the other end.
/// Who cancels a send knows.
local::Recalled howOf(const Operation& op) noexcept {
  const EndpointState& endpoint = *op.endpoint;
  const bool is_by_close = endpoint.phase == EndpointPhase::Closing || endpoint.isOver();
  const bool is_cancelled = op.cancel_requested.load(std::memory_order_relaxed);
  return op.kind == OperationKind::StreamSend && is_by_close && !is_cancelled
             ? local::Recalled::Gap
             : local::Recalled::AsIfNeverSent;
}

}  // namespace

bool hasFramesApart(const Operation& op) noexcept { return hasFrames(op, isApart); }

/// The claim of a message that leaves through the ring without all of its payload; 0: it goes at
/// once, or no claim is free.
local::Claim Link::claimFor(const Operation& op, bool eager) {
  // A prepared one always has a receive.
  if (op.kind == OperationKind::PreparedSend) return 0;
  if (eager && !hasFramesApart(op)) return 0;
  return offers_.openClaim(local->ownEnd().claims);
}

void giveUpAsking(EndpointState& endpoint) noexcept {
  if (endpoint.link != nullptr) endpoint.link->endUnanswered(endpoint);
}

bool Link::recall(Operation& op, ucs_status_t status) noexcept {
  if (channel != ChannelKind::Self && !isSending()) return false;
  op.outcome.hold();
  channel == ChannelKind::Self ? recallFromSelf(op, status) : recallFromPeer(op, status);
  const bool has_ended = op.ended();
  release(op);
  return has_ended;
}

void Link::recallFromPeer(Operation& op, ucs_status_t status) noexcept {
  const local::Recalled how = howOf(op);
  const bool is_ours = op.claim != 0 && offers_.recall(op, local->ownEnd().claims, how);
  if (is_ours || (op.claim == 0 && mayAskFor(op))) {
    op.recalling = true;
    sendControl(MessageKind::Recall, op.header.sequence | gapBit(how));
  }
  if (is_ours) return offers_.forget(op, status, how);
  if (!mayRevoke(op)) return;
  if (op.endpoint->revokes || op.endpoint->isOver()) return offers_.revoke(op, status, how);
  if (!op.endpoint->recall.deadline.isSet()) awaitAnswer(*op.endpoint);
}

/// The payload of `op` is still here, announced by this side and not by UCX.
bool Link::mayRevoke(const Operation& op) const noexcept {
  return channel == ChannelKind::Ucp && op.recalling && !hasFrames(op, isOnDevice);
}

void Link::awaitAnswer(EndpointState& endpoint) noexcept {
  endpoint.recall.messages = messagesHandled();
  endpoint.recall.deadline.set(base::deadlineAfter(loop.options.close_timeout));
}

void Link::endUnanswered(EndpointState& endpoint) noexcept {
  const bool is_silent = messagesHandled() == endpoint.recall.messages;
  for (Operation* op = endpoint.sends.front(); op != nullptr;) {
    Operation* const next = endpoint.sends.after(*op);
    if (!mayRevoke(*op)) {
      op = next;
      continue;
    }
    if (!is_silent) return awaitAnswer(endpoint);
    const std::uint64_t ended = loop.counters.ended.value();
    offers_.revoke(*op, UCS_ERR_CANCELED, howOf(*op));
    // The callback may have ended others, perhaps the next: what is left is looked at again.
    op = loop.counters.ended.value() > ended + 1 ? endpoint.sends.front() : next;
  }
}

/// The peer, to drop it: only once.
bool Link::mayAskFor(const Operation& op) const noexcept {
  if (op.recalling || !fragments_.own_announcements) return false;
  if (op.kind == OperationKind::PreparedSend) return false;
  return (op.announced && !isAnnouncedByUcx(op)) || hasFrames(op, isApart);
}

bool Link::onGone(std::uint64_t argument) noexcept {
  const ucs_status_t status = (argument & kGapBit) != 0 ? UCS_ERR_CONNECTION_RESET : kTakenBack;
  return channel == ChannelKind::Ucp && incoming_.grants.refuse(argument & ~kGapBit, status);
}

void Link::recallFromSelf(Operation& op, ucs_status_t status) noexcept {
  if (!kept_.has(op.header.sequence)) return;
  op.part_status = status;
  kept_.drop(op.header.sequence);
}

}  // namespace ucxx::core
