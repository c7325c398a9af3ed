// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "base/list.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/recallable_messages.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "core/wire/wire.h"

namespace ucxx::core {

bool cannotCome(const Operation& receive, const Matcher& arrived) noexcept {
  return receive.endpoint != nullptr && receive.endpoint->isOver() &&
         arrived.probe(receive.tag, receive.mask) == nullptr;
}

bool tryMatch(Inlet& inlet, const Incoming& message, const Matcher& receives) noexcept {
  if (message.claim == 0 || receives.find(message.header.argument) == nullptr) return true;
  return inlet.recallable().tryTake(message.claim);
}

void startTagRecv(Operation& op) { postTo(inboxOf(*op.loop).tags, op); }

void startTagRecvOf(Operation& op, Message* message) {
  op.stage = Stage::Waiting;
  Requests::track(op);
  inboxOf(*op.loop).probed.remove(*message);
  op.number = message->number;
  if (!message->is_recalled && tryTake(*message)) return consume(message, op);
  discard(message);
  complete(op, UCS_ERR_CANCELED);
}

void onTag(Inlet& inlet, const Incoming& message) {
  Matcher& tags = inboxOf(inlet.loop).tags;
  if (!tryMatch(inlet, message, tags)) return inlet.refuse(message);
  if (PostedReceive* receive = tags.match(message.header.argument))
    return deliver(inlet, message, static_cast<Operation&>(*receive));
  Message& kept = *keep(inlet, message);
  tags.keep(kept);
  if (!kept.inMemory()) inlet.ahead().consider(kept, message.header);
}

void discardProbed(Loop& loop, Message* message) noexcept {
  inboxOf(loop).probed.remove(*message);
  discard(message);
}

bool withdrawTagRecv(Operation& op) noexcept { return inboxOf(*op.loop).tags.withdraw(op); }

void tagReceived(Operation& op, ucs_status_t status) {
  status == kTakenBack ? goOnWaiting(inboxOf(*op.loop).tags, op) : complete(op, status);
}

namespace {

/// The oldest that matches; those that were recalled end here.
Message* oldest(Matcher& arrived, std::uint64_t tag, std::uint64_t mask) {
  auto* message = static_cast<Message*>(arrived.probe(tag, mask));
  while (message != nullptr && isRecalled(*message)) {
    arrived.remove(*message);
    discard(message);
    message = static_cast<Message*>(arrived.probe(tag, mask));
  }
  return message;
}

}  // namespace

Message* probeTag(Loop& loop, std::uint64_t tag, std::uint64_t mask, bool remove) {
  Message* const message = oldest(inboxOf(loop).tags, tag, mask);
  // One of several buffers can be seen, and taken by a receive for such alone.
  if (message == nullptr && !remove) return oldest(inboxOf(loop).multis, tag, mask);
  if (message != nullptr && remove) {
    inboxOf(loop).tags.remove(*message);
    queueUp(inboxOf(loop).probed, *message);
  }
  return message;
}

}  // namespace ucxx::core
