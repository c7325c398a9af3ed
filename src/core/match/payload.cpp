// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>
#include <cstring>

#include "base/copying.h"
#include "core/bulk/assembly.h"
#include "core/bulk/device_fetches.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/landing.h"
#include "core/match/large_frames.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/recallable_messages.h"
#include "core/match/self_copies.h"
#include "core/match/transfers.h"
#include "core/match/unexpected.h"
#include "core/request/device_copies.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"
#include "local/claims.h"

namespace ucxx::core {
namespace {

void copy(void* to, const void* from, std::size_t size) noexcept {
  base::aboutToCopy(size);
  if (size != 0) std::memcpy(to, from, size);
}

void note(Operation& op, Inlet* inlet, std::uint64_t tag, std::size_t size) noexcept {
  op.stage = Stage::Moving;
  op.port = inlet;
  op.inlet_number = inlet != nullptr ? inlet->inlet_number : 0;
  op.sender_tag = tag;
  op.received = size;
}

/// Whether a message comes straight into the blocks of `op`. What fits into a part passes memory of
/// the host in any case, from where it can be given back.
bool comesStraight(const Operation& op, const Inlet* inlet, const Announcement& announcement,
                   const Operation* sender, std::size_t size) noexcept {
  const bool is_short = size <= kMostStaged;
  if (sender != nullptr) return !is_short || sender->on_device;
  if (!comesToDevices(*op.loop, announcement)) return false;
  if (!is_short || announcement.number == 0) return true;
  const auto& extra = static_cast<const ScatterExtra&>(*op.extra);
  if (extra.on_device.empty() || extra.iov.size() != 1) return false;
  const void* const place = extra.iov.front().buffer;
  return size != 0 &&
         deviceWayOf(inlet->incoming(), announcement, place, size, true) == DeviceWay::ByUcx;
}

/// From where a message comes: from `sender`, of the own worker, as `announcement`, or it is here.
Source sourceOf(const Operation& op, const Inlet* inlet, const Announcement& announcement,
                const Operation* sender, std::size_t size) noexcept {
  return {inlet != nullptr && inlet->channel == ChannelKind::Ucp,
          comesStraight(op, inlet, announcement, sender, size)};
}

/// Whether `op` can take so many bytes, which come as `sourceOf` says; makes the buffers that the
/// library makes at match time.
ucs_status_t prepare(Operation& op, Inlet* inlet, std::size_t size, std::uint32_t sequence,
                     const Announcement& announcement, const Operation* sender) {
  if (op.kind == OperationKind::MultiRecv) return prepareMultiRecv(op, inlet, size, sequence);
  if (op.kind == OperationKind::ScatterRecv)
    return prepareScatter(op, size, sourceOf(op, inlet, announcement, sender, size));
  return size <= op.length ? UCS_OK : UCS_ERR_MESSAGE_TRUNCATED;
}

bool staysWithSender(const Loop& loop, const Incoming& message) noexcept {
  return message.sender != nullptr &&
         (message.sender->synchronous || message.sender->on_device ||
          message.size > kSelfCopyBytes ||
          inboxOf(loop).unexpected.from_self + message.size > loop.options.unexpected_bytes);
}

bool mayBeRecalled(const Inlet& inlet, const Incoming& message) noexcept {
  return message.announcement.number != 0 || message.header.kind == MessageKind::Multi ||
         staysWithSender(inlet.loop, message);
}

void keepPayload(Inlet& inlet, const Incoming& message, Message& kept) {
  if (message.announcement) {
    kept.announcement = message.announcement;
  } else if (staysWithSender(inlet.loop, message)) {
    kept.sender = message.sender;
    message.sender_kept = true;
  } else {
    reserve(kept);
    inlet.copyIn(kept.bytes, message.bytes, message.size, message.header.length);
    kept.filled = message.size;
    kept.credit = costOf(message.header.length, message.prologue.size());
    if (message.sender != nullptr) inboxOf(inlet.loop).unexpected.from_self += kept.credit;
  }
}

/// Gives back what a kept message held of its sender's credit.
void settle(Message& message) {
  if (message.inlet == nullptr || message.credit == 0) return;
  if (message.inlet->channel == ChannelKind::Self)
    inboxOf(message.inlet->loop).unexpected.giveBackSelf(message.credit);
  else
    message.inlet->returnCredit(message.credit);
  message.credit = 0;
}

/// Into or from memory of a device the loop copies, which takes a while.
void takeFromSender(Operation& sender, std::size_t size, Operation& op) {
  if (needsCopies(sender, size, op))
    return copyFromSender(sender, sender.buffer, size, op, op.buffer);
  copy(op.buffer, sender.buffer, size);
  endPart(sender, UCS_OK);
  payloadReceived(op, UCS_OK);
}

/// A receive has given `message` back, with the buffers that it had made.
void takeWhole(Message* message, Operation& op) noexcept {
  op.kind == OperationKind::AmRecv ? takeWholeAm(message, op) : takeWholeMulti(message, op);
}

/// The payload is here, or on its way into `message`.
void takeFromMemory(Message* message, Operation& op) {
  if (op.buffer != message->bytes) copy(op.buffer, message->bytes, message->filled);
  settle(*message);
  if (message->filled < message->size) {
    message->inlet->assembly().handTo(op);
    destroyMessage(message);
    return;
  }
  destroyMessage(message);
  payloadReceived(op, UCS_OK);
}

}  // namespace

void deliver(Inlet& inlet, const Incoming& message, Operation& op) {
  const std::size_t size = message.header.length;
  note(op, &inlet, message.header.argument, size);
  const ucs_status_t status =
      prepare(op, &inlet, size, message.header.sequence, message.announcement, message.sender);
  if (status != UCS_OK) {
    inlet.refuse(message);
    return payloadReceived(op, status);
  }
  if (message.sender != nullptr && needsCopies(*message.sender, size, op)) {
    message.sender_kept = true;
    return copyFromSender(*message.sender, message.bytes, size, op, op.buffer);
  }
  if (message.announcement)
    return inlet.incoming().fetch(op, message.announcement, op.buffer, size);
  if (message.size < size) inlet.assembly().begin(message, &op, nullptr);
  inlet.copyIn(op.buffer, message.bytes, message.size, size);
  if (message.sender == nullptr) inlet.returnCredit(costOf(size, message.prologue.size()));
  if (message.size < size) return;
  payloadReceived(op, UCS_OK);
}

void deliverBytes(Inlet& inlet, const void* bytes, std::size_t size, std::uint64_t tag,
                  Operation& op) {
  note(op, &inlet, tag, size);
  if (size > op.length) return complete(op, UCS_ERR_MESSAGE_TRUNCATED);
  if (op.kind != OperationKind::TagRecv) return takeScattered(op, bytes, size);
  inlet.copyIn(op.buffer, bytes, size, size);
  complete(op, UCS_OK);
}

bool tryTakeClaimed(Message& message) noexcept {
  const local::Claim claim = std::exchange(message.claim, 0);  // the sender's, for others, soon
  return message.inlet == nullptr || message.inlet->recallable().tryTake(claim);
}

bool isRecalled(const Message& message) noexcept {
  return message.claim != 0 && message.inlet != nullptr &&
         message.inlet->recallable().isRecalled(message.claim);
}

void takeFrom(Matcher& matcher, Message* matched, Operation& op) {
  while (!tryTake(*matched)) {
    discard(matched);
    if (cannotCome(op, matcher)) return complete(op, op.endpoint->overStatus());
    matched = static_cast<Message*>(matcher.repost(op));
    if (matched == nullptr) return;
  }
  consume(matched, op);
}

/// A probe's handle stands for no other message.
void goOnWaiting(Matcher& matcher, Operation& op) {
  const bool is_by_handle = op.posted == 0;
  if (is_by_handle || op.cancel_requested.load(std::memory_order_relaxed))
    return complete(op, UCS_ERR_CANCELED);
  if (cannotCome(op, matcher)) return complete(op, op.endpoint->overStatus());
  op.stage = Stage::Waiting;
  op.received = 0;
  op.sender_tag = 0;
  if (ArrivedMessage* matched = matcher.repost(op))
    takeFrom(matcher, static_cast<Message*>(matched), op);
}

void consume(Message* message, Operation& op) {
  note(op, message->inlet, message->tag, message->size);
  if (message->isLost()) {
    discard(message);
    return payloadReceived(op, UCS_ERR_CONNECTION_RESET);
  }
  if (message->whole() != nullptr) return takeWhole(message, op);
  if (message->ahead != nullptr && takeAhead(message, op)) return;
  const ucs_status_t status = prepare(op, message->inlet, message->size, message->sequence,
                                      message->announcement, message->sender);
  if (status != UCS_OK) {
    discard(message);
    return payloadReceived(op, status);
  }
  if (isComing(*message)) {
    message->ahead->receiver = &op;
    return;
  }
  if (message->announcement) {
    Inlet& inlet = *message->inlet;
    const Announcement announcement = std::exchange(message->announcement, {});
    destroyMessage(message);
    return inlet.incoming().fetch(op, announcement, op.buffer, op.received);
  }
  if (message->sender != nullptr) {
    Operation& sender = *std::exchange(message->sender, nullptr);
    destroyMessage(message);
    return takeFromSender(sender, op.received, op);
  }
  takeFromMemory(message, op);
}

void takenReceived(Message* message, Operation& op, ucs_status_t status) {
  if (status == UCS_OK) return takeFromMemory(message, op);
  discard(message);
  payloadReceived(op, status);
}

Message* keep(Inlet& inlet, const Incoming& message) {
  Message* kept = makeMessage(message.header.argument, message.header.length);
  kept->kind = message.header.kind;
  kept->inlet = &inlet;
  kept->sequence = message.header.sequence;
  kept->claim = message.claim;
  kept->stays = message.header.stays != 0;
  if (message.sender != nullptr) kept->origin = message.sender->endpoint->key;
  try {
    if (mayBeRecalled(inlet, message)) inlet.recallable().list(*kept);
    keepPayload(inlet, message, *kept);
  } catch (const std::bad_alloc&) {
    destroyMessage(kept);
    throw;
  }
  if (kept->inMemory() && kept->filled < kept->size) inlet.assembly().begin(message, nullptr, kept);
  inlet.loop.counters.unexpected_messages.add();
  return kept;
}

void discard(Message* message) noexcept {
  if (message->announcement && message->inlet != nullptr)
    message->inlet->incoming().drop(message->announcement);
  Operation* sender = message->sender;
  const ucs_status_t status = message->isLost() ? UCS_ERR_CANCELED : UCS_OK;
  if (message->inlet != nullptr) message->inlet->assembly().forget(*message);
  if (message->kind == MessageKind::Multi && message->inlet != nullptr && !message->whole())
    message->inlet->frames().refuse(message->sequence);
  settle(*message);
  destroyMessage(message);
  if (sender != nullptr) endPart(*sender, status);
}

}  // namespace ucxx::core
