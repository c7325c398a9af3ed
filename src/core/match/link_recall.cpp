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
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/endpoint_state.h"
#include "core/link/link.h"
#include "core/loop/counters.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/inbox.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
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

/// What may be recalled is announced by us, or a multi-buffer message, whose frames may be.
local::Claim Link::claimIn(const WireHeader& header) const noexcept {
  const bool has_claim = header.announces != 0 || header.kind == MessageKind::Multi;
  return channel == ChannelKind::Local && has_claim
             ? static_cast<local::Claim>(std::min<std::uint64_t>(header.link, UINT16_MAX))
             : 0;
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

void Link::recallFromSelf(Operation& op, ucs_status_t status) noexcept {
  const Kept kept = findKept(op.header.sequence);
  if (kept.message == nullptr) return;
  op.part_status = status;
  dropKept(kept);
}

void Link::listKept(Message& message) {
  kept_[message.sequence] = {&message, nullptr};
  message.is_listed = true;
}

void Link::noteQueue(MessageList& queue, const Message& message) noexcept {
  const auto found = kept_.find(message.sequence);
  if (found != kept_.end() && found->second.message == &message) found->second.queue = &queue;
}

void Link::unlistKept(Message& message) noexcept {
  message.is_listed = false;
  const auto found = kept_.find(message.sequence);
  if (found != kept_.end() && found->second.message == &message) kept_.erase(found);
}

/// Without a message: there is none, it has been taken, somebody takes it just now, or it is held
/// for a registered receiver, which will come to it.
Link::Kept Link::findKept(std::uint32_t sequence) const noexcept {
  const auto found = kept_.find(sequence);
  if (found == kept_.end()) return {};
  const auto& [message, queue] = found->second;
  const bool is_there = queue != nullptr ? message->node.linked() : message->isWaiting();
  return is_there && message->consumed == 0 ? found->second : Kept{};
}

/// A message that is not here any more has been taken, or dropped: the sender hears of that.
void Link::onRecall(std::uint64_t argument) noexcept {
  const Kept kept = findKept(static_cast<std::uint32_t>(argument));
  if (kept.message == nullptr || isComing(*kept.message)) return;
  const bool leaves_gap = (argument & kGapBit) != 0 && kept.message->kind == MessageKind::Stream;
  leaves_gap ? cutStreamAt(*kept.message) : dropKept(kept);
}

/// The piece stays without its bytes: a receive that comes to it fails.
void Link::cutStreamAt(Message& piece) noexcept {
  unlistKept(piece);
  piece.claim = 0;
  piece.is_cut_off = true;
  if (piece.ahead != nullptr) leaveAhead(piece);
  if (piece.announcement) incoming_.drop(std::exchange(piece.announcement, {}));
}

void Link::dropTakenBack(const Message& message) noexcept {
  if (const Kept kept = findKept(message.sequence); kept.message == &message) dropKept(kept);
}

bool Link::onGone(std::uint64_t argument) noexcept {
  const ucs_status_t status = (argument & kGapBit) != 0 ? UCS_ERR_CONNECTION_RESET : kTakenBack;
  return channel == ChannelKind::Ucp && incoming_.grants.refuse(argument & ~kGapBit, status);
}

/// Nobody receives it any more. What a probe holds stays, without its payload: whoever receives it
/// is told.
void Link::dropKept(const Kept& kept) noexcept {
  Message& message = *kept.message;
  if (kept.queue == &inboxOf(loop).probed) {
    unlistKept(message);
    message.is_recalled = true;
    if (message.ahead != nullptr) leaveAhead(message);
    if (message.announcement) incoming_.drop(std::exchange(message.announcement, {}));
    if (Operation* sender = std::exchange(message.sender, nullptr)) endPart(*sender, UCS_OK);
    return;
  }
  if (kept.queue != nullptr)
    kept.queue->remove(message);
  else
    (message.kind == MessageKind::Multi ? inboxOf(loop).multis : inboxOf(loop).tags)
        .remove(message);
  discard(&message);
}

}  // namespace ucxx::core
