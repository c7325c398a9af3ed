// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The endpoints of a link: when they open, at the peer and here, and when they go.

#include <new>
#include <optional>

#include "base/clock.h"
#include "base/list.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/link/calling.h"
#include "core/link/endpoint_end.h"
#include "core/link/endpoints.h"
#include "core/link/flush_close.h"
#include "core/link/goodbye.h"
#include "core/link/link.h"
#include "core/link/pairs.h"
#include "core/loop/deadlines.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_plans.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/match/intake.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/meet/listeners.h"
#include "core/plan/plans.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/wire/reached.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

/// Unless its user closed it while it waited.
void becomeOpen(EndpointState& endpoint) noexcept {
  if (endpoint.phase == EndpointPhase::Connecting) endpoint.becomeOpen();
}

}  // namespace

void Link::list(EndpointState& endpoint) {
  endpoint.inlet = this;
  pairs_.list(endpoint);
  goodbye.onEndpointListed();
}

void Link::drop(EndpointState& endpoint) noexcept {
  if (!endpoint.listed) return;
  pairs_.unlist(endpoint);
  if (endpoint.has_request) listenersOf(loop).onGone(endpoint);
  review.ask();
}

void Link::adopt(EndpointState& endpoint) {
  list(endpoint);
  calling.is_unwanted = false;
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
  for (EndpointState* endpoint : pairs_.all()) open(*endpoint);
  for (EndpointState* endpoint : pairs_.all()) begin(*endpoint);
  handleEarly();
}

void Link::open(EndpointState& endpoint) {
  endpoint.connect.deadline.clear();
  if (endpoint.own_pair) return becomeOpen(endpoint);
  // The endpoint waited for another link while the peer's open came over this one.
  EndpointState* const passive = endpoint.listener == 0 ? pairs_.takePassive() : nullptr;
  if (passive != nullptr) return merge(*passive, endpoint);
  if (endpoint.listener == 0) {
    pairs_.awaitPartner(endpoint);
    becomeOpen(endpoint);
  }
  goodbye.onOpenSent();
  sendControl(MessageKind::Open, endpoint, endpoint.listener);
}

/// What waited for its link goes on.
void Link::begin(EndpointState& endpoint) {
  while (Operation* op = endpoint.before_link.popFront()) sendInTurn(*op);
  endpoint.resumeFlushes();
  sayClosing(endpoint);
  pumpAm(endpoint);
  pumpStream(endpoint);
  plans_.join(endpoint);
}

/// `endpoint` becomes the partner that `passive` stood for.
void Link::merge(EndpointState& passive, EndpointState& endpoint) {
  plans_.moves(passive, endpoint);  // may throw: first, while nothing else has changed
  pairs_.replace(passive, endpoint);
  review.ask();
  passive.phase = EndpointPhase::Closed;
  passive.review.ask();
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
  if (pairs_.find(id, false) != nullptr) return fail(UCS_ERR_INVALID_PARAM);  // the same id twice
  if (pairs_.isFull()) return fail(UCS_ERR_NO_MEMORY);
  goodbye.onOpen();
  if (!ahead_.empty()) review.ask();  // what waits may come again
  const bool is_for_worker = message.header.argument == 0;
  if (const auto partner = is_for_worker ? pairs_.pair(id) : std::nullopt) {
    if (*partner != nullptr) goodbye.onOpenCrossed();
    return;  // a partner that was closed: the peer pairs likewise, and the close ends its end
  }
  goodbye.onOpenCrossed();
  EndpointState& endpoint = endpointsOf(loop).add(false);
  endpoint.id = id;
  try {
    list(endpoint);
  } catch (const std::bad_alloc&) {
    endEndpoint(endpoint, UCS_ERR_NO_MEMORY);
    throw;
  }
  if (!is_for_worker) {
    endpoint.callers_port = callersPort(message.header.argument);
    return listenersOf(loop).ask({peer, &endpoint, listenerOf(message.header.argument)});
  }
  endpoint.becomeOpen();
  pairs_.keepPassive(endpoint);
  sendControl(MessageKind::Opened, endpoint);
}

}  // namespace ucxx::core
