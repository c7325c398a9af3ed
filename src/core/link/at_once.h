// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// Small messages that are sent in the call that posts them, and so need no operation: in line, and
// for each kind of message by itself, since the call costs little more than the ring does. What
// cannot be sent so is posted (operations.cpp).

#include <cstring>
#include <memory>

#include "base/list.h"
#include "base/mpsc_queue.h"
#include "core/channel/credit.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/condition/posting.h"
#include "core/link/carrier.h"
#include "core/link/link.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/owner.h"
#include "core/loop/posts.h"
#include "core/loop/wake.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/matcher.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/requests.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/choices.h"

namespace ucxx::core {

/// What is sent, by an endpoint.
struct SmallMessage {
  const void* buffer;  // not of a device
  std::size_t size;
  std::uint64_t argument = 0;                // of the header
  const AmPrologueView* prologue = nullptr;  // of an active message
};

/// The header of an active message; larger ones are not sent so.
struct AmHeaderBytes {
  static constexpr std::size_t kMostOfPrologue = 128;
  std::byte bytes[sizeof(HeaderWords) + kMostOfPrologue];
  std::size_t size;

  AmHeaderBytes(const HeaderWords& words, const AmPrologueView& prologue,
                std::size_t prologue_size) noexcept
      : size(sizeof words + prologue_size) {
    std::memcpy(bytes, &words, sizeof words);
    writePrologue(prologue, bytes + sizeof words);
  }
};

[[gnu::always_inline]] inline void Link::countSent(std::size_t size) noexcept {
  loop.counters.messages_sent.add();
  loop.counters.bytes_sent.add(size);
  ++counters.messages_sent;
  counters.bytes_sent += size;
}

[[gnu::always_inline]] inline void Link::countReceived(std::size_t size) noexcept {
  loop.counters.messages_received.add();
  loop.counters.bytes_received.add(size);
  ++counters.messages_received;
  counters.bytes_received += size;
}

/// Into one record of the ring.
template <MessageKind kKind>
[[gnu::always_inline]] inline bool Link::putAtOnce(EndpointState& endpoint,
                                                   const SmallMessage& message,
                                                   std::size_t prologue) {
  constexpr std::uint64_t kNoClaim = 0;
  const HeaderWords words{kNoClaim, endpoint.id, message.argument, message.size,
                          lastWord(next_sequence_, kKind, endpoint.own_opened)};
  if constexpr (kKind == MessageKind::Am) {
    const AmHeaderBytes header(words, *message.prologue, prologue);
    if (!local->trySend(std::span(header.bytes, header.size), message.buffer, message.size))
      return false;
  } else {
    if (!local->trySend(words, message.buffer, message.size)) return false;
  }
  ++next_sequence_;
  send_credit_.spend(costOf(message.size, prologue));
  countSent(message.size);
  return true;
}

template <MessageKind kKind>
[[gnu::always_inline]] inline bool Link::sendAtOnce(EndpointState& endpoint,
                                                    const SmallMessage& message) {
  if (state != State::Up || !endpoint.before_link.empty()) return false;
  if (channel == ChannelKind::Self)
    return kKind == MessageKind::Tag && giveToSelf(message.buffer, message.size, message.argument);
  const std::size_t prologue =
      kKind == MessageKind::Am ? prologueBytes(*message.prologue) : std::size_t{0};
  if (local == nullptr || !send_credit_.covers(costOf(message.size, prologue)) ||
      !waiting_.empty() || isHoldingSends() || prologue > AmHeaderBytes::kMostOfPrologue)
    return false;
  if (message.size <= local::choices::kMostInRecord)
    return putAtOnce<kKind>(endpoint, message, prologue);
  return kKind == MessageKind::Tag && mayGoInBulk(*this, message.buffer, message.size) &&
         putInFragments(endpoint, message.buffer, message.size, message.argument);
}

/// Sends a small message in this call. False: that cannot be, and nothing has happened.
template <MessageKind kKind>
bool sendSmall(EndpointState& endpoint, const SmallMessage& message) {
  Loop& loop = endpoint.loop;
  const Loop::Visit entry(loop, Loop::Visit::Quiet());
  if (loop.options.request_attributes || !loop.posts.mayStartHere<Posts::Kind::Unposted>(entry) ||
      endpoint.isOver())
    return false;
  {
    const Posts::Nesting nesting(loop.posts);
    if (!linkOf(endpoint)->sendAtOnce<kKind>(endpoint, message)) return false;
  }
  loop.wake.ringOthers();
  loop.counters.inline_completions.add();
  return true;
}

/// Sends it, and calls the callback.
template <MessageKind kKind>
bool sendSmall(EndpointState& endpoint, const SmallMessage& message, const Posting& posting) {
  if (posting.callback == nullptr) return sendSmall<kKind>(endpoint, message);
  Loop& loop = endpoint.loop;
  const Loop::Visit entry(loop, Loop::Visit::Quiet());  // the callback is called by the owner
  if (!entry.isOwner() || endpoint.isOver()) return false;
  // To the own worker the receive ends first, whose callback may flush, and wait for this send.
  if (endpoint.inlet->channel == ChannelKind::Self) return false;
  if (!sendSmall<kKind>(endpoint, message)) return false;
  const Posts::Nesting nesting(loop.posts);
  callBack(std::move(posting.callback), std::move(posting.data), UCS_OK);
  return true;
}

/// Posts `op`, a tag receive of one buffer, if it can wait for its message at once.
[[gnu::always_inline]] inline bool waitAtOnce(Loop& loop, Operation& op) noexcept {
  const Loop::Visit entry(loop, Loop::Visit::Quiet());
  Inbox& inbox = inboxOf(loop);
  if (!loop.posts.mayStartHere<Posts::Kind::Unposted>(entry) || inbox.tags.arrivedCount() != 0 ||
      (op.endpoint != nullptr && op.endpoint->isOver()))
    return false;
  op.loop = &loop;
  op.outcome.holdAlone();
  Requests::track(op);
  op.stage = Stage::Waiting;
  inbox.tags.wait(op);
  op.since = loop.timeOfPostInRow();
  loop.wake.ringOthers();
  return true;
}

/// Posts `op`, a tag receive of one buffer that is no part of a condition. It waits, as a rule.
inline void submitTagRecv(Loop& loop, Operation& op) {
  if (!waitAtOnce(loop, op)) requestsOf(loop).submit(op);
}

/// Sends `message` in this call. Null: that cannot be, and nothing has happened. What has ended
/// needs no request of its own.
template <class Public, OperationKind kKind>
std::shared_ptr<Request> sendAtOnce(EndpointState& endpoint, const SmallMessage& message,
                                    const Posting& posting) {
  if (posting.condition != nullptr || !sendSmall<messageOf(kKind)>(endpoint, message, posting))
    return nullptr;
  return ownerlessEndedRequest<Public, kKind, Request>();
}

}  // namespace ucxx::core
