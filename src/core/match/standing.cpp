// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Standing receives: the multi-buffer messages of an endpoint are fetched as they come, before any
// receive, so that their sends end whatever the receiving program does. They wait in the matcher
// like all others; what is theirs is the memory.

#include <algorithm>
#include <new>
#include <utility>

#include "base/file_descriptor.h"
#include "base/list.h"
#include "core/link/endpoints.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/closed_pairs.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"

namespace ucxx::core {
namespace {

/// Calls `visit` with each message of `endpoint` that no receive has taken. It may take it out.
template <class Visit>
void forEachMulti(const EndpointState& endpoint, const Visit& visit) {
  for (ArrivedMessage* arrived = inboxOf(endpoint.loop).multis.oldest(); arrived != nullptr;) {
    auto& message = static_cast<Message&>(*arrived);
    arrived = Matcher::newerThan(message);
    if (message.endpoint == endpoint.key) visit(message);
  }
}

/// The peer may name the pair by either id, if both have opened one.
void noteClosed(const EndpointState& endpoint, ClosedPairs& closed) noexcept {
  closed.add(endpoint.id, endpoint.own_opened);
  if (endpoint.own_pair) closed.add(endpoint.id, false);
  if (endpoint.partner_id != 0) closed.add(endpoint.partner_id, false);
}

/// What waits for room waits for its receive from now on.
void leaveWaiting(Standing& standing) noexcept {
  while (FetchAhead* fetch = standing.waiting.front()) fetch->owner->leaveWithSender(*fetch);
}

void forgetStanding(EndpointState& endpoint) noexcept {
  const std::shared_ptr<Standing> standing = std::move(endpoint.standing);
  leaveWaiting(*standing);
  std::erase(inboxOf(endpoint.loop).standing, standing);
}

void takeWaiting(const EndpointState& endpoint) noexcept {
  const std::shared_ptr<Standing> standing = endpoint.standing;
  forEachMulti(endpoint, [&](Message& message) {
    if (message.inlet != nullptr) message.inlet->ahead().considerFor(standing, message);
  });
  standing->work();
}

}  // namespace

void Standing::work() noexcept {
  while (FetchAhead* oldest = waiting.front()) {
    if (!oldest->owner->beginStanding(*oldest)) return;
  }
}

/// Nothing begins here: a callback of its sender might change what the caller walks through.
void Ahead::considerFor(const std::shared_ptr<Standing>& standing, Message& message) noexcept {
  if (message.stays || message.whole() != nullptr) return;
  FetchAhead* const fetch = message.ahead;
  if (fetch == nullptr) {
    (void)attach(message, standing);
  } else if (fetch->node.linked() && !fetch->is_coming && fetch->memory == nullptr) {
    waitingOf(*fetch).remove(*fetch);
    lookAtRest();
    fetch->standing = standing;
    standing->waiting.pushBack(*fetch);
  }
}

bool Ahead::beginStanding(FetchAhead& fetch) noexcept try {
  if (base::isForkedChild() || !inlet_.mayFetchAhead()) return false;
  const std::optional<std::size_t> cost = costOfAll(fetch);
  if (cost && !fetch.standing->hasRoomFor(*cost, fetch.cost)) return false;
  if (!cost) fetch.message->stays = fetch.message->isWhole();  // it is not looked at again
  cost ? begin(fetch, *cost) : leaveWithSender(fetch);
  return true;
} catch (const std::bad_alloc&) {  // of no table
  leaveWithSender(fetch);
  return true;
}

std::shared_ptr<Standing> standingOf(const Loop& loop, const Message& message) noexcept {
  if (message.endpoint == 0) return nullptr;
  const EndpointState* endpoint = endpointsOf(loop).find(message.endpoint);
  const bool takes =
      endpoint != nullptr && endpoint->standing != nullptr && endpoint->standing->limit != 0;
  return takes ? endpoint->standing : nullptr;
}

void receiveAhead(EndpointState& endpoint, std::size_t bytes) {
  if (endpoint.phase == EndpointPhase::Closed || (bytes == 0 && endpoint.standing == nullptr))
    return;
  if (endpoint.standing == nullptr) {
    auto standing = std::make_shared<Standing>();
    inboxOf(endpoint.loop).standing.push_back(standing);
    endpoint.standing = std::move(standing);
  }
  endpoint.standing->limit = bytes;
  bytes == 0 ? leaveWaiting(*endpoint.standing) : takeWaiting(endpoint);
}

void endStanding(EndpointState& endpoint) noexcept {
  if (endpoint.standing == nullptr) return;
  forgetStanding(endpoint);
  if (endpoint.inlet != nullptr) noteClosed(endpoint, endpoint.inlet->closed);
  MessageList dropped;  // first all: a callback of their senders may change the matcher
  forEachMulti(endpoint, [&](Message& message) {
    inboxOf(endpoint.loop).multis.remove(message);
    dropped.pushBack(message);
  });
  while (Message* message = dropped.popFront()) discard(message);
}

void moveMulti(const EndpointState& from, EndpointState& to) noexcept {
  forEachMulti(from, [&](Message& message) { message.endpoint = to.key; });
  if (to.standing != nullptr && to.standing->limit != 0) takeWaiting(to);
}

}  // namespace ucxx::core
