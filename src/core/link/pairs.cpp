// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Which endpoint of one worker belongs to which of the other. An id is chosen by who opens;
// messages say whose id they name. An open that meets an own open without partner pairs with it:
// both sides see the opens of a link in order, so both decide alike. Else it makes a passive
// endpoint, says so (Opened), and the next own open to that worker adopts it.

#include <algorithm>

#include "base/clock.h"
#include "base/list.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/link/endpoint_state.h"
#include "core/link/endpoints.h"
#include "core/link/flush_close.h"
#include "core/link/link.h"
#include "core/loop/deadlines.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/intake.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/meet/listeners.h"
#include "core/plan/endpoint_plans.h"
#include "core/plan/plans.h"
#include "core/request/operation.h"
#include "core/wire/reached.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

/// Endpoints that one peer may have open.
constexpr std::size_t kMaxOpens = 1 << 14;

/// Unless its user closed it while it waited.
void becomeOpen(EndpointState& endpoint) noexcept {
  if (endpoint.phase == EndpointPhase::Connecting) endpoint.becomeOpen();
}

}  // namespace

void Link::list(EndpointState& endpoint) {
  if (end_room_.capacity() <= endpointCount()) end_room_.reserve(2 * endpointCount() + 4);
  linger_deadline.clear();
  may_linger_ = true;
  endpoint.link = this;
  endpoint.listed = true;  // from here on `drop` undoes it
  (endpoint.own_opened ? own_ : peers_)[endpoint.id] = &endpoint;
  if (endpoint.own_pair) peers_[endpoint.id] = &endpoint;
}

void Link::drop(EndpointState& endpoint) noexcept {
  if (!endpoint.listed) return;
  endpoint.listed = false;
  if (endpoint.own_opened) own_.erase(endpoint.id);
  if (!endpoint.own_opened || endpoint.own_pair) peers_.erase(endpoint.id);
  if (endpoint.partner_id != 0) peers_.erase(endpoint.partner_id);
  for (Unpaired& unpaired : unpaired_) {
    if (unpaired.endpoint == &endpoint) unpaired.endpoint = nullptr;
  }
  std::erase(passive_, &endpoint);
  if (endpoint.has_request) listenersOf(loop).onGone(endpoint);
  review.ask();
}

EndpointState* Link::find(std::uint64_t id, bool own_opened) const noexcept {
  const auto& table = own_opened ? own_ : peers_;
  const auto found = table.find(id);
  return found == table.end() ? nullptr : found->second;
}

std::vector<EndpointState*> Link::endpoints() const {
  std::vector<EndpointState*> result;
  collect(result);
  return result;
}

/// In the order of their making, which is the order of pairs.
void Link::collect(std::vector<EndpointState*>& endpoints) const {
  for (const auto& [id, endpoint] : own_) endpoints.push_back(endpoint);
  for (const auto& [id, endpoint] : peers_) {
    if (!endpoint->own_opened) endpoints.push_back(endpoint);  // else it is among the own, too
  }
  std::sort(endpoints.begin(), endpoints.end(),
            [](const auto* a, const auto* b) { return a->key < b->key; });
}

EndpointState* Link::unadopted() noexcept {
  if (passive_.empty()) return nullptr;
  EndpointState* endpoint = passive_.front();
  passive_.erase(passive_.begin());
  return endpoint;
}

void Link::adopt(EndpointState& endpoint) {
  list(endpoint);
  is_unwanted = false;
  if (state != State::Up) {
    endpoint.plans.await_link = true;
    return linksOf(loop).extend(*this, endpoint.connect.deadline.when());
  }
  open(endpoint);
  begin(endpoint);
}

void Link::openAll() {
  // No callback runs before the last is open: it may close another, and a close must not overtake
  // its open.
  for (EndpointState* endpoint : endpoints()) open(*endpoint);
  for (EndpointState* endpoint : endpoints()) begin(*endpoint);
  handleEarly();
}

void Link::open(EndpointState& endpoint) {
  endpoint.connect.deadline.clear();
  if (endpoint.own_pair) return becomeOpen(endpoint);
  // The endpoint waited for another link while the peer's open came over this one.
  if (endpoint.listener == 0 && !passive_.empty()) return merge(*unadopted(), endpoint);
  if (endpoint.listener == 0) {
    unpaired_.push_back({endpoint.id, &endpoint});
    becomeOpen(endpoint);
  }
  owed_bye_ = 0;  // this is the answer: we stay
  sendControl(MessageKind::Open, endpoint, endpoint.listener);
}

/// What waited for its link goes on.
void Link::begin(EndpointState& endpoint) {
  while (Operation* op = endpoint.before_link.popFront()) sendInTurn(*op);
  resumeFlushes(endpoint);
  sayClosing(endpoint);
  pumpAm(endpoint);
  pumpStream(endpoint);
  plans_.join(endpoint);
}

/// `endpoint` becomes the partner that `passive` stood for.
void Link::merge(EndpointState& passive, EndpointState& endpoint) {
  plans_.moves(passive, endpoint);  // may throw: first, while nothing else has changed
  own_.erase(endpoint.id);
  auto entry = peers_.extract(passive.id);
  drop(passive);
  passive.phase = EndpointPhase::Closed;
  passive.review.ask();
  endpoint.id = passive.id;
  endpoint.own_opened = false;
  entry.mapped() = &endpoint;
  peers_.insert(std::move(entry));
  becomeOpen(endpoint);
  endpoint.am_arrivals = passive.am_arrivals;
  while (Message* message = passive.am_messages.popFront()) queueUp(endpoint.am_messages, *message);
  while (Message* message = passive.am_held.popFront()) endpoint.am_held.pushBack(*message);
  intake_.moves(passive, endpoint);
  while (Message* message = passive.stream_messages.popFront()) {
    queueUp(endpoint.stream_messages, *message);
    if (message->ahead != nullptr) message->ahead->stream = &endpoint;
  }
  moveMulti(passive, endpoint);
}

void Link::onOpen(const Incoming& message) {
  const std::uint64_t id = message.header.endpoint;
  if (find(id, false) != nullptr) return fail(UCS_ERR_INVALID_PARAM);  // the same id twice
  if (peers_.size() >= kMaxOpens) return fail(UCS_ERR_NO_MEMORY);
  answered_bye_ = false;
  owed_bye_ = 0;
  if (!ahead_.empty()) review.ask();  // what waits may come again
  if (message.header.argument == 0 && !unpaired_.empty()) {
    EndpointState* partner = unpaired_.front().endpoint;
    unpaired_.erase(unpaired_.begin());
    if (partner == nullptr) return;  // the peer pairs likewise: our close ends its end
    said_bye_ = false;
    partner->partner_id = id;
    peers_[id] = partner;
    return;
  }
  said_bye_ = false;  // it crossed with the peer's open: the link stays
  EndpointState& endpoint = endpointsOf(loop).add(false);
  endpoint.id = id;
  try {
    list(endpoint);
  } catch (const std::bad_alloc&) {
    endEndpoint(endpoint, UCS_ERR_NO_MEMORY);
    throw;
  }
  if (message.header.argument != 0) {
    endpoint.callers_port = callersPort(message.header.argument);
    return listenersOf(loop).ask({peer, &endpoint, listenerOf(message.header.argument)});
  }
  endpoint.becomeOpen();
  passive_.push_back(&endpoint);
  sendControl(MessageKind::Opened, endpoint);
}

void Link::onOpened(std::uint64_t id) {
  std::erase_if(unpaired_, [&](const Unpaired& unpaired) { return unpaired.id == id; });
}

}  // namespace ucxx::core
