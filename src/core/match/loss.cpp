// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Messages that nobody has received yet, when what holds their bytes ends: the link to the peer, or
// on the self channel the endpoint that sends them.

#include <cstdint>
#include <utility>

#include "base/list.h"
#include "base/log.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/endpoints.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/large_frames.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/multi_frames.h"
#include "core/match/recallable_messages.h"
#include "core/match/transfers.h"
#include "core/match/unexpected.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"

// Nothing is allocated here: a peer may go when memory has.

namespace ucxx::core {
namespace {

/// Senders end only when all is done: their callbacks may receive what is looked at here.
void endSenders(MessageList& lost, ucs_status_t status) {
  while (Message* message = lost.popFront()) {
    Operation* sender = message->sender;
    destroyMessage(message);
    if (sender != nullptr) endPart(*sender, status);
  }
}

void lose(Message& message) {
  Loop& loop = message.inlet->loop;
  if (message.is_listed) message.inlet->recallable().unlist(message);
  if (message.announcement) message.inlet->incoming().drop(std::exchange(message.announcement, {}));
  if (message.ahead != nullptr) loseAhead(message);
  if (message.inlet->channel == ChannelKind::Self)
    inboxOf(loop).unexpected.giveBackSelf(message.credit);
  message.credit = 0;
  message.origin = inboxOf(loop).ended_links;
  message.inlet = nullptr;
  message.is_cut_off = message.is_cut_off || !message.isWhole();
}

/// Behind a lost message those of the same tag are lost as well: none is received in its place.
template <class IsLosing>
void cutOffBehind(const Message& lost, const IsLosing& is_losing) {
  for (ArrivedMessage* arrived = Matcher::newerOfTag(lost); arrived != nullptr;
       arrived = Matcher::newerOfTag(*arrived)) {
    auto& message = static_cast<Message&>(*arrived);
    if (is_losing(message)) message.is_cut_off = true;
  }
}

template <class IsLosing>
void loseMatched(Matcher& matcher, const IsLosing& is_losing, MessageList& lost) {
  for (ArrivedMessage* arrived = matcher.oldest(); arrived != nullptr;) {
    auto& message = static_cast<Message&>(*arrived);
    arrived = Matcher::newerThan(message);
    if (!is_losing(message)) continue;
    const bool is_first = !message.is_cut_off;  // else those behind it are, too
    lose(message);
    if (!message.isLost()) continue;
    if (is_first) cutOffBehind(message, is_losing);
    matcher.remove(message);
    lost.pushBack(message);
  }
}

/// What is received in order ends at its first gap.
template <class IsLosing>
void loseQueued(MessageList& queue, const IsLosing& is_losing, MessageList& lost) {
  bool gap = false;
  for (Message* message = queue.front(); message != nullptr;) {
    Message* next = queue.after(*message);
    if ((gap || is_losing(*message)) && !message->fetching) {
      if (message->inlet != nullptr) lose(*message);
      gap = gap || message->isLost();
      if (gap) {
        queue.remove(*message);
        lost.pushBack(*message);
      }
    }
    message = next;
  }
}

/// Lost messages that a probe has found stay: whoever receives them is told.
void endSendersOfProbed(Loop& loop, ucs_status_t status) {
  for (Message* message = inboxOf(loop).probed.front(); message != nullptr;) {
    if (message->inlet != nullptr || message->sender == nullptr) {
      message = inboxOf(loop).probed.after(*message);
      continue;
    }
    endPart(*std::exchange(message->sender, nullptr), status);
    message = inboxOf(loop).probed.front();  // its callback may have received some
  }
}

template <class IsLosing>
void loseMessages(Loop& loop, const IsLosing& is_losing, ucs_status_t status) {
  MessageList lost;
  loseMatched(inboxOf(loop).tags, is_losing, lost);
  loseMatched(inboxOf(loop).multis, is_losing, lost);
  endpointsOf(loop).each([&](EndpointState& endpoint) {
    loseQueued(endpoint.am_messages, is_losing, lost);
    loseQueued(endpoint.am_held, is_losing, lost);
    loseQueued(endpoint.stream_messages, is_losing, lost);
  });
  for (Message* message = inboxOf(loop).probed.front(); message != nullptr;
       message = inboxOf(loop).probed.after(*message))
    if (is_losing(*message)) lose(*message);
  endSenders(lost, status);
  endSendersOfProbed(loop, status);
}

bool isLeft(const Message& message) noexcept { return message.inlet == nullptr; }

/// What links that ended after the one of that number have left in a matcher.
std::size_t leftAfter(std::uint64_t link, const Matcher& matcher) noexcept {
  std::size_t bytes = 0;
  for (const ArrivedMessage* arrived = matcher.oldest(); arrived != nullptr;
       arrived = Matcher::newerThan(*arrived)) {
    const auto& message = static_cast<const Message&>(*arrived);
    if (isLeft(message) && message.origin > link) bytes += heldBy(message);
  }
  return bytes;
}

/// What links that ended before have left goes.
std::size_t dropLeftUpTo(std::uint64_t link, Matcher& matcher) noexcept {
  std::size_t dropped = 0;
  for (ArrivedMessage* arrived = matcher.oldest(); arrived != nullptr;) {
    auto& message = static_cast<Message&>(*arrived);
    arrived = Matcher::newerThan(message);
    if (!isLeft(message) || message.origin > link) continue;
    matcher.remove(message);
    destroyMessage(&message);
    ++dropped;
  }
  return dropped;
}

/// Whole messages of peers that have gone stay, but not more in one matcher than one peer may have
/// here: peers come and go for ever. Those of the peers that went first are dropped, all of a peer:
/// of a part the rest would be received in its place. Those of the last one stay.
void limitLeftMessages(Loop& loop, Matcher& matcher) {
  const std::size_t limit = loop.options.unexpected_bytes;
  std::uint64_t kept = 0, dropped_up_to = inboxOf(loop).ended_links - 1;
  if (leftAfter(kept, matcher) <= limit) return;
  while (dropped_up_to - kept > 1) {  // the first bound leaves too much, the second one does not
    const std::uint64_t middle = kept + (dropped_up_to - kept) / 2;
    (leftAfter(middle, matcher) > limit ? kept : dropped_up_to) = middle;
  }
  const std::size_t dropped = dropLeftUpTo(dropped_up_to, matcher);
  if (dropped == 0) return;
  loop.counters.dropped_messages.add(dropped);
  base::log(LogLevel::Warn, "worker",
            "{} messages of peers that have gone are dropped: nobody received them", dropped);
}

/// The message of `sequence` that nobody has received.
void discardMulti(Inlet& inlet, std::uint32_t sequence) {
  for (ArrivedMessage* arrived = inboxOf(inlet.loop).multis.oldest(); arrived != nullptr;
       arrived = Matcher::newerThan(*arrived)) {
    auto& message = static_cast<Message&>(*arrived);
    if (message.inlet != &inlet || !message.inMemory() || message.sequence != sequence) continue;
    if (message.whole() != nullptr) continue;  // it has its frames
    inboxOf(inlet.loop).multis.remove(message);
    return discard(&message);
  }
}

/// Large frames, and the multi-buffer messages that are nothing without them.
void revokeFrames(Inlet& inlet, const EndpointState& endpoint, ucs_status_t status) {
  for (std::uint64_t from = 0;;) {
    LargeFrames::Revoked revoked = inlet.frames().revokeNext(endpoint, from);
    if (revoked.sender == nullptr) return;
    from = frameKey(revoked.sequence, 0) + frameKey(1, 0);
    discardMulti(inlet, revoked.sequence);
    for (; revoked.frames != 0; --revoked.frames) endPart(*revoked.sender, status);
  }
}

/// Receives of endpoints that ended before their link may wait for a piece that was coming.
void endLeftStreams(const Inlet& inlet) {
  endpointsOf(inlet.loop).each([&](EndpointState& endpoint) {
    if (endpoint.inlet == &inlet && endpoint.isOver()) endStreamReceives(endpoint);
  });
}

}  // namespace

void loseMessagesOf(Inlet& inlet) {
  Loop& loop = inlet.loop;
  const ucs_status_t status = inlet.error == UCS_OK ? UCS_ERR_CANCELED : inlet.error;
  ++inboxOf(loop).ended_links;
  loseMessages(
      loop, [&](const Message& message) { return message.inlet == &inlet; }, status);
  for (Matcher* matcher : {&inboxOf(loop).tags, &inboxOf(loop).multis})
    limitLeftMessages(loop, *matcher);
  endLeftStreams(inlet);
}

void discardMessages(Loop& loop) noexcept {
  for (Matcher* matcher : {&inboxOf(loop).tags, &inboxOf(loop).multis}) {
    while (ArrivedMessage* arrived = matcher->oldest()) {
      matcher->remove(*arrived);
      discard(static_cast<Message*>(arrived));
    }
  }
  while (Message* message = inboxOf(loop).probed.popFront()) discard(message);
}

void revokeSends(EndpointState& endpoint) {
  Inlet* const inlet = endpoint.inlet;
  if (inlet == nullptr || inlet->channel != ChannelKind::Self || endpoint.sends.empty()) return;
  const ucs_status_t status = endpoint.overStatus();
  revokeFrames(*inlet, endpoint, status);
  const auto is_losing = [&](const Message& message) {
    return message.inlet == inlet && message.origin == endpoint.key;
  };
  loseMessages(endpoint.loop, is_losing, status);
}

}  // namespace ucxx::core
