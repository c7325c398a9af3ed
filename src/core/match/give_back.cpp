// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// A receive has ended with success, and nobody wants its message: that is as if it had never been
// taken. It goes back to its place among those that wait, or to the oldest receive that matches.

#include <cstring>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ucxx/buffer.h>
#include <ucxx/request_tag_multi.h>

#include "base/list.h"
#include "base/log.h"
#include "core/channel/port.h"
#include "core/link/endpoints.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/loop/post.h"
#include "core/loop/posts.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/landing.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/request/device_copies.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

MessageKind kindOf(OperationKind kind) noexcept {
  switch (kind) {
    case OperationKind::AmRecv:
      return MessageKind::Am;
    case OperationKind::StreamRecv:
      return MessageKind::Stream;
    case OperationKind::MultiRecv:
      return MessageKind::Multi;
    default:
      return MessageKind::Tag;
  }
}

/// Into its own buffers, which can be handed on; the others' bytes are copied.
bool hasOwnBuffers(const Operation& op) noexcept {
  return op.kind == OperationKind::AmRecv || op.kind == OperationKind::MultiRecv;
}

/// What it has received is in memory of a device, where the processor does not reach it.
bool hasLanded(const Operation& op) noexcept {
  if (op.kind == OperationKind::ScatterRecv) return isScattered(op);
  if (op.kind != OperationKind::StreamRecv || op.extra == nullptr) return false;
  return static_cast<const StreamRecvExtra&>(*op.extra).memory == nullptr;
}

/// With all the memory that it needs. Throws `std::bad_alloc`.
MessagePointer roomFor(const Operation& op) {
  MessagePointer message(makeMessage(op.sender_tag, op.received));
  message->kind = kindOf(op.kind);
  if (hasOwnBuffers(op)) {
    message->extra = std::make_unique<MessageExtra>();
    message->extra->whole = std::make_unique<WholeBuffers>();
    message->extra->whole->buffers.reserve(1);
  } else {
    reserve(*message);
  }
  return message;
}

void moveBuffers(Operation& op, MessageExtra& to) noexcept {
  if (op.kind == OperationKind::AmRecv) {
    auto& extra = static_cast<AmRecvExtra&>(*op.extra);
    to.whole->buffers.push_back(std::move(extra.buffer));
    to.prologue.user_header = std::move(extra.user_header);
    return;
  }
  auto& extra = static_cast<MultiRecvExtra&>(*op.extra);
  to.whole->buffers = std::move(extra.buffers);
  to.whole->frames = std::move(extra.frames);
  auto& request = static_cast<RequestTagMulti&>(*op.request);
  request._bufferRequests.clear();
  request._isFilled = false;
}

/// What `op` has received is `message`'s from now on.
void moveInto(Message& message, Operation& op) noexcept {
  message.is_given_back = true;
  message.number = op.number;
  message.origin = op.inlet_number;
  message.filled = message.size;
  if (hasOwnBuffers(op))
    moveBuffers(op, *message.extra);
  else if (op.kind == OperationKind::ScatterRecv)
    gatherScattered(op, message.bytes, message.size);
  else if (message.size != 0)
    std::memcpy(message.bytes, op.buffer, message.size);
  op.received = 0;
  op.sender_tag = 0;
}

/// Null: its link has gone.
Inlet* findInlet(Loop& loop, std::uint64_t number) noexcept {
  for (const std::unique_ptr<Link>& link : linksOf(loop).all())
    if (link->inlet_number == number) return link.get();
  return nullptr;
}

void restoreMatched(Matcher& matcher, Message& message) {
  while (PostedReceive* const receive = matcher.restore(message)) {
    auto& op = static_cast<Operation&>(*receive);
    if (!op.outcome.isDisowned()) return consume(&message, op);
    // The receive would give the message back in its turn, thousands of them inside each other.
    complete(op, UCS_ERR_CANCELED);
  }
}

/// On the loop. What has a queue of its endpoint goes there, unless this side has closed it.
void restore(Loop& loop, std::uint64_t endpoint_key, MessagePointer given) {
  Message& message = *given;
  EndpointState* const endpoint =
      endpoint_key != 0 ? endpointsOf(loop).find(endpoint_key) : nullptr;
  const bool is_queued = message.kind == MessageKind::Am || message.kind == MessageKind::Stream;
  if (is_queued && (endpoint == nullptr || endpoint->phase == EndpointPhase::Closed)) return;
  Inlet* const inlet = is_queued ? endpoint->inlet : findInlet(loop, message.origin);
  const bool has_ended = inlet == nullptr || inlet->state == Port::State::Ended;
  message.inlet = has_ended ? nullptr : inlet;
  message.origin = has_ended ? inboxOf(loop).ended_links : 0;
  if (message.kind == MessageKind::Multi) message.endpoint = endpoint_key;
  (void)given.release();
  switch (message.kind) {
    case MessageKind::Am:
      return restoreAm(*endpoint, message);
    case MessageKind::Stream:
      return restoreStream(*endpoint, message);
    case MessageKind::Multi:
      return restoreMatched(inboxOf(loop).multis, message);
    default:
      return restoreMatched(inboxOf(loop).tags, message);
  }
}

std::uint64_t endpointKeyOf(const Operation& op) noexcept {
  return op.endpoint != nullptr ? op.endpoint->key : 0;
}

struct Restoring final : Post {
  explicit Restoring(const Operation& op) : message(roomFor(op)), endpoint(endpointKeyOf(op)) {
    run = [](Loop& loop, Post& self) {
      const std::unique_ptr<Restoring> post(static_cast<Restoring*>(&self));
      restore(loop, post->endpoint, std::move(post->message));
    };
  }
  MessagePointer message;
  const std::uint64_t endpoint;
};

void logNoMemory(const Operation& op) {
  base::log(LogLevel::Error, "request",
            "{}: no memory to give a message of {} bytes back; it stays with its receive",
            toString(op.kind), op.received);
}

/// Says in the log that a message cannot be given back, and is lost.
void logLanded(const Operation& op) {
  const bool has_tag = op.kind == OperationKind::ScatterRecv;
  const std::string whose = has_tag ? fmt::format(" with tag {:#x}", op.sender_tag) : "";
  base::log(LogLevel::Warn, "request",
            "{}{}: the cancel has come too late to give a message of {} bytes back: it is in the "
            "buffer of this receive, in memory of a device, and no other receive gets it",
            toString(op.kind), whose, op.received);
}

/// Null: no memory for it.
MessagePointer messageOf(Operation& op) noexcept try {
  MessagePointer message = roomFor(op);
  moveInto(*message, op);
  return message;
} catch (const std::bad_alloc&) {
  logNoMemory(op);
  return nullptr;
}

}  // namespace

bool giveBackInVain(Operation& op) noexcept {
  if (op.number == 0) return false;  // none of a queue
  if (hasLanded(op)) {
    logLanded(op);
    op.number = 0;  // it is told once
    return false;
  }
  MessagePointer message = messageOf(op);
  if (message == nullptr) return false;
  restore(*op.loop, endpointKeyOf(op), std::move(message));
  return true;
}

bool giveBackPart(Operation& op) noexcept {
  MessagePointer message = messageOf(op);
  if (message == nullptr) return false;
  endpointOf(op).stream_receives.remove(op);
  restore(*op.loop, op.endpoint->key, std::move(message));
  return true;
}

bool giveBackAtGate(Operation& op, Landing& landing) noexcept {
  MessagePointer message = messageOf(op);
  if (message == nullptr) return false;
  landing.withdraw(deviceCopiesOf(*op.loop));
  restore(*op.loop, endpointKeyOf(op), std::move(message));
  return true;
}

bool giveBackMessage(Operation& op) {
  if (!isReceive(op.kind) || op.repeats) return false;
  if (op.outcome.disown()) {
    requestsOf(*op.loop).cancelAgain(op);
    return true;
  }
  if (op.outcome.status() != UCS_OK || op.number == 0) return false;
  if (isLetGo(op) || hasLanded(op)) return logLanded(op), false;
  std::unique_ptr<Restoring> post;
  try {
    post = std::make_unique<Restoring>(op);
  } catch (const std::bad_alloc&) {
    logNoMemory(op);
    throw;
  }
  if (!op.outcome.revoke()) return false;
  moveInto(*post->message, op);
  op.loop->posts.execute(*post.release());
  return true;
}

}  // namespace ucxx::core
