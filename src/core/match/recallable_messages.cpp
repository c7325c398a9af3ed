// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/recallable_messages.h"

#include <algorithm>
#include <utility>

#include "base/list.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/match/ahead.h"
#include "core/match/inbox.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/request/operation.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"

namespace ucxx::core {

/// A message that may be recalled is announced by the library, or a multi-buffer message, whose
/// frames may be.
local::Claim RecallableMessages::claimIn(const WireHeader& header) const noexcept {
  const bool has_claim = header.announces != 0 || header.kind == MessageKind::Multi;
  return port_.channel == ChannelKind::Local && has_claim
             ? static_cast<local::Claim>(std::min<std::uint64_t>(header.link, UINT16_MAX))
             : 0;
}

void RecallableMessages::list(Message& message) {
  kept_[message.sequence] = {&message, nullptr};
  message.is_listed = true;
}

void RecallableMessages::noteQueue(MessageList& queue, const Message& message) noexcept {
  const auto found = kept_.find(message.sequence);
  if (found != kept_.end() && found->second.message == &message) found->second.queue = &queue;
}

void RecallableMessages::unlist(Message& message) noexcept {
  message.is_listed = false;
  const auto found = kept_.find(message.sequence);
  if (found != kept_.end() && found->second.message == &message) kept_.erase(found);
}

Message* RecallableMessages::listed(std::uint32_t sequence) const noexcept {
  const auto found = kept_.find(sequence);
  return found == kept_.end() ? nullptr : found->second.message;
}

/// Without a message: there is none, it has been taken, somebody takes it just now, or it is held
/// for a registered receiver, which will come to it.
RecallableMessages::Kept RecallableMessages::find(std::uint32_t sequence) const noexcept {
  const auto found = kept_.find(sequence);
  if (found == kept_.end()) return {};
  const auto& [message, queue] = found->second;
  const bool is_there = queue != nullptr ? message->node.linked() : message->isWaiting();
  return is_there && message->consumed == 0 ? found->second : Kept{};
}

void RecallableMessages::onRecall(std::uint64_t argument) noexcept {
  const Kept kept = find(static_cast<std::uint32_t>(argument));
  if (kept.message == nullptr || isComing(*kept.message)) return;
  const bool leaves_gap = (argument & kGapBit) != 0 && kept.message->kind == MessageKind::Stream;
  leaves_gap ? cutStreamAt(*kept.message) : drop(kept);
}

/// The piece stays without its bytes: a receive that comes to it fails.
void RecallableMessages::cutStreamAt(Message& piece) noexcept {
  unlist(piece);
  piece.claim = 0;
  piece.is_cut_off = true;
  if (piece.ahead != nullptr) leaveAhead(piece);
  if (piece.announcement) incoming_.drop(std::exchange(piece.announcement, {}));
}

void RecallableMessages::dropTakenBack(const Message& message) noexcept {
  if (const Kept kept = find(message.sequence); kept.message == &message) drop(kept);
}

/// Nobody receives the message any more. What a probe holds stays, without its payload: whoever
/// receives it is told.
void RecallableMessages::drop(const Kept& kept) noexcept {
  Message& message = *kept.message;
  if (kept.queue == &inboxOf(port_.loop).probed) {
    unlist(message);
    message.is_recalled = true;
    if (message.ahead != nullptr) leaveAhead(message);
    if (message.announcement) incoming_.drop(std::exchange(message.announcement, {}));
    if (Operation* sender = std::exchange(message.sender, nullptr)) endPart(*sender, UCS_OK);
    return;
  }
  if (kept.queue != nullptr)
    kept.queue->remove(message);
  else
    (message.kind == MessageKind::Multi ? inboxOf(port_.loop).multis : inboxOf(port_.loop).tags)
        .remove(message);
  discard(&message);
}

}  // namespace ucxx::core
