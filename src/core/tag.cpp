// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop.h"
#include "core/transfers.h"

namespace ucxx::core {

bool cannotCome(const Operation& receive, const Matcher& arrived) noexcept {
  return receive.endpoint != nullptr && receive.endpoint->isOver() &&
         arrived.probe(receive.tag, receive.mask) == nullptr;
}

void startTagRecv(Operation& op) {
  Matcher& tags = op.loop->tags;
  if (cannotCome(op, tags)) return complete(op, op.endpoint->overStatus());
  ArrivedMessage* arrived = tags.post(op);
  if (arrived != nullptr) consume(static_cast<Message*>(arrived), op);
}

void startTagRecvOf(Operation& op, Message* message) {
  op.stage = Stage::Waiting;
  op.loop->track(op);
  op.loop->probed.remove(*message);
  consume(message, op);
}

void onTag(Link& link, const Incoming& message) {
  Matcher& tags = link.loop.tags;
  if (PostedReceive* receive = tags.match(message.header.argument))
    return deliver(link, message, static_cast<Operation&>(*receive));
  tags.keep(*keep(link, message));
}

void discardProbed(Loop& loop, Message* message) noexcept {
  loop.probed.remove(*message);
  discard(message);
}

bool withdrawTagRecv(Operation& op) noexcept { return op.loop->tags.withdraw(op); }

Message* probeTag(Loop& loop, std::uint64_t tag, std::uint64_t mask, bool remove) {
  ArrivedMessage* found = loop.tags.probe(tag, mask);
  auto* message = static_cast<Message*>(found);
  if (message != nullptr && remove) {
    loop.tags.remove(*message);
    loop.probed.pushBack(*message);
  }
  return message;
}

}  // namespace ucxx::core
