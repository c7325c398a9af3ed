// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Messages that nobody has received yet, when what holds their bytes ends: the link to the peer, or
// on the self channel the endpoint that sends them.

#include <set>
#include <utility>
#include <vector>

#include "base/log.h"
#include "core/loop.h"
#include "core/transfers.h"

namespace ucxx::core {
namespace {

using Senders = std::vector<Operation*>;

/// Senders end only when all is done: their callbacks may receive what is looked at here.
void end(const Senders& senders, ucs_status_t status) {
  for (Operation* sender : senders) endPart(*sender, status);
}

void lose(Message& message, Senders& senders) {
  if (message.announcement) message.link->dropAnnouncement(std::exchange(message.announcement, {}));
  if (message.sender != nullptr) senders.push_back(std::exchange(message.sender, nullptr));
  message.link = nullptr;
}

/// Behind a lost message those of the same tag are lost as well: none is received in its place.
template <class IsLosing>
void loseMatched(Matcher& matcher, const IsLosing& is_losing, Senders& senders) {
  std::set<std::uint64_t> gaps;
  for (ArrivedMessage* arrived : matcher.arrived()) {
    auto* message = static_cast<Message*>(arrived);
    if (!is_losing(*message)) continue;
    lose(*message, senders);
    if (!message->isLost() && gaps.count(message->tag) == 0) continue;
    gaps.insert(message->tag);
    matcher.remove(*message);
    destroyMessage(message);
  }
}

/// What is received in order ends at its first gap.
template <class IsLosing>
void loseQueued(MessageList& queue, const IsLosing& is_losing, Senders& senders) {
  bool gap = false;
  for (Message* message = queue.front(); message != nullptr;) {
    Message* next = queue.after(*message);
    if ((gap || is_losing(*message)) && !message->fetching) {
      lose(*message, senders);
      gap = gap || message->isLost();
      if (gap) {
        queue.remove(*message);
        destroyMessage(message);
      }
    }
    message = next;
  }
}

template <class IsLosing>
void loseMessages(Loop& loop, const IsLosing& is_losing, Senders& senders) {
  loseMatched(loop.tags, is_losing, senders);
  loseMatched(loop.multis, is_losing, senders);
  for (EndpointState* endpoint : loop.endpoints()) {
    loseQueued(endpoint->am_messages, is_losing, senders);
    loseQueued(endpoint->am_held, is_losing, senders);
    loseQueued(endpoint->stream_messages, is_losing, senders);
  }
  // Those belong to a probe: whoever receives them is told.
  for (Message* message = loop.probed.front(); message != nullptr;
       message = loop.probed.after(*message)) {
    if (is_losing(*message)) lose(*message, senders);
  }
}

/// Whole messages of peers that have gone stay, but not more in one matcher than one peer may have
/// here: peers come and go for ever. The oldest are dropped.
void limitLeftMessages(Loop& loop, Matcher& matcher) {
  std::size_t bytes = 0, dropped = 0;
  const std::vector<ArrivedMessage*> arrived = matcher.arrived();
  for (auto one = arrived.rbegin(); one != arrived.rend(); ++one) {
    auto* message = static_cast<Message*>(*one);
    if (message->link != nullptr) continue;
    bytes += costOf(message->capacity);
    if (bytes <= loop.options.unexpected_bytes) continue;
    matcher.remove(*message);
    destroyMessage(message);
    loop.counters.dropped_messages.add();
    ++dropped;
  }
  if (dropped != 0)
    base::log(LogLevel::Warn, "worker",
              "{} messages of peers that have gone are dropped: nobody received them", dropped);
}

/// Large frames, and the multi-buffer messages that are nothing without them.
void loseFrames(Link& link, const EndpointState& endpoint, Senders& senders) {
  std::set<std::uint32_t> sequences;
  std::erase_if(link.frames, [&](const auto& entry) {
    const Link::Frame& frame = entry.second;
    if (frame.sender == nullptr || frame.sender->endpoint != &endpoint) return false;
    senders.push_back(frame.sender);
    sequences.insert(static_cast<std::uint32_t>(entry.first >> 32));
    return true;
  });
  if (sequences.empty()) return;
  for (ArrivedMessage* arrived : link.loop.multis.arrived()) {
    auto* message = static_cast<Message*>(arrived);
    if (message->link != &link || !message->inMemory() || sequences.count(message->sequence) == 0)
      continue;
    link.loop.multis.remove(*message);
    discard(message);
  }
}

}  // namespace

void loseMessagesOf(Link& link) {
  Senders senders;
  loseMessages(
      link.loop, [&](const Message& message) { return message.link == &link; }, senders);
  for (Matcher* matcher : {&link.loop.tags, &link.loop.multis})
    limitLeftMessages(link.loop, *matcher);
  end(senders, link.error == UCS_OK ? UCS_ERR_CANCELED : link.error);
}

void discardMessages(Loop& loop) noexcept {
  for (Matcher* matcher : {&loop.tags, &loop.multis}) {
    for (ArrivedMessage* arrived : matcher->arrived()) {
      matcher->remove(*arrived);
      discard(static_cast<Message*>(arrived));
    }
  }
  while (Message* message = loop.probed.popFront()) discard(message);
}

void revokeSends(EndpointState& endpoint) {
  Link* link = endpoint.link;
  if (link == nullptr || link->channel != ChannelKind::Self || endpoint.sends.empty()) return;
  Senders senders;
  loseFrames(*link, endpoint, senders);
  const auto is_losing = [&](const Message& message) {
    return message.sender != nullptr && message.sender->endpoint == &endpoint;
  };
  loseMessages(endpoint.loop, is_losing, senders);
  end(senders, endpoint.overStatus());
}

}  // namespace ucxx::core
