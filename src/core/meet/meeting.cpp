// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// How links come about: calls to doors, hellos that arrive, and which link stays when two cross.

#include <algorithm>

#include <fmt/ranges.h>

#include <ucxx/exception.h>

#include "base/clock.h"
#include "base/id128.h"
#include "base/id128_format.h"
#include "base/log.h"
#include "base/spread.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/called_names.h"
#include "core/link/calling.h"
#include "core/link/endpoint_end.h"
#include "core/link/link.h"
#include "core/link/pairs.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/meet/calls.h"
#include "core/meet/links.h"
#include "core/meet/listeners.h"
#include "core/meet/worker_address.h"
#include "core/request/endpoint_core.h"
#include "core/wire/reached.h"
#include "door/door.h"
#include "door/hello.h"
#include "door/machine_id.h"
#include "local/channel.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

/// So long a call keeps the one that crosses it away: perhaps it never arrives.
constexpr auto kCrossingFor = std::chrono::milliseconds(200);

}  // namespace

door::Hello Links::hello(std::uint64_t own_name) const {
  door::Hello hello;
  hello.worker = loop_.id();
  hello.machine = door::machineId();
  hello.link = own_name;
  hello.nonce = base::randomU64();
  hello.unexpected_bytes = loop_.options.unexpected_bytes;
  hello.announcements = loop_.options.announcements;
  hello.ucx_version = ucp::libraryVersion();
  return hello;
}

void Links::openByName(EndpointState& endpoint, std::vector<door::SocketAddress> addresses) {
  // Which worker and listener is there now, only its door knows; calls that are under way are
  // shared.
  std::vector<std::string> routes = routesOf(addresses);
  endpoint.by_name = true;
  endpoint.called_port = addresses.front().port();
  for (auto& link : all_) {
    if (link->state == Link::State::Connecting && !link->calling.is_target_known &&
        link->calling.routes == routes)
      return link->adopt(endpoint);
  }
  Link& link = add(ChannelKind::Ucp);
  link.calling.routes = std::move(routes);
  link.calling.addresses = std::move(addresses);
  beginCalling(link, endpoint, [&] { routeByName(link); });
}

void Links::openByAddress(EndpointState& endpoint, const WorkerAddress& address) {
  if (address.worker == loop_.id()) {
    endpoint.own_pair = true;
    return self().adopt(endpoint);
  }
  if (Link* link = to(address.worker)) return link->adopt(endpoint);
  for (auto& link : all_) {
    if (link->state == Link::State::Connecting && link->peer == address.worker)
      return link->adopt(endpoint);
  }
  Link& link = add(ChannelKind::Ucp);
  link.peer = address.worker;
  link.calling.is_target_known = true;
  beginCalling(link, endpoint, [&] {
    link.calling.addresses = address.doors;
    routeByAddress(link, address);
  });
}

template <class Route>
void Links::beginCalling(Link& link, EndpointState& endpoint, const Route& route) {
  try {
    route();
    link.adopt(endpoint);
    startCalling(link, endpoint.connect.deadline.when());
  } catch (...) {
    link.fail(UCS_ERR_NO_MEMORY);  // nobody is to wait for it
    throw;
  }
}

void Links::onTime() {
  door_->onTime(loop_.now());
  forgetAnswered();
  const std::size_t standing_receives = inboxOf(loop_).standing.size();
  for (std::size_t i = 0; i < inboxOf(loop_).standing.size(); ++i) {
    const std::shared_ptr<Standing> standing = inboxOf(loop_).standing[i];  // a callback may end it
    standing->work();
  }
  if (inboxOf(loop_).standing.size() != standing_receives) loop_.needsTimeAt(loop_.now());
}

door::Events Links::doorEvents() {
  door::Events events;
  events.owner = this;
  events.onHello = [](void* self, std::uint64_t listener, const door::Hello& hello,
                      door::Descriptors descriptors, const door::SocketAddress& address) {
    auto& links = *static_cast<Links*>(self);
    ++links.events_;
    return links.answer(listener, hello, std::move(descriptors), address);
  };
  events.onAccepted = [](void* self, const door::Hello& hello,
                         std::unique_ptr<door::Connection> connection) {
    auto& links = *static_cast<Links*>(self);
    ++links.events_;
    links.onAccepted(hello, std::move(connection));
  };
  events.onWelcome = [](void* self, door::Call& call, const door::Hello& hello,
                        door::Descriptors descriptors,
                        std::unique_ptr<door::Connection> connection) {
    auto& links = *static_cast<Links*>(self);
    ++links.events_;
    auto& link = *static_cast<Link*>(contextOf(call));
    orFail(link,
           [&] { links.onWelcome(link, hello, std::move(descriptors), std::move(connection)); });
  };
  events.onCallEnded = [](void* self, door::Call& call, ucs_status_t status,
                          const door::Refused* refused) {
    auto& links = *static_cast<Links*>(self);
    ++links.events_;
    auto& link = *static_cast<Link*>(contextOf(call));
    orFail(link, [&] { links.onCallEnded(link, call, status, refused); });
  };
  events.onLost = [](void* self, door::Connection& connection, ucs_status_t status) {
    auto& links = *static_cast<Links*>(self);
    ++links.events_;
    links.onLost(*static_cast<Link*>(connection.context), status);
  };
  return events;
}

/// The name of the link that such a hello makes: the same for the same hello, unknown to others.
std::uint64_t Links::nameFor(const door::Hello& hello) const noexcept {
  return base::spread(base::spread(hello.link ^ name_secret_[0]) ^ hello.nonce ^ name_secret_[1]);
}

door::Refused Links::refused(door::Refusal reason, std::uint64_t listener,
                             std::uint64_t link) const noexcept {
  return {reason, link, listener, loop_.id(), {}};
}

door::Answer Links::answer(std::uint64_t listener, const door::Hello& from,
                           door::Descriptors descriptors, const door::SocketAddress& caller) {
  const bool is_local = caller.isUnix();
  if (is_local && listener == 0) listener = from.listener;  // one name serves them all
  if (!is_local && listener != 0) listener = reachedFrom(listener, caller.port());
  if (is_local && listener != 0 && listenersOf(loop_).find(listenerOf(listener)) == nullptr)
    return refused(door::Refusal::Closing, listener);
  if (from.wanted && from.wanted != loop_.id())
    return refused(door::Refusal::WrongWorker, listener);
  if (from.worker == loop_.id()) return refused(door::Refusal::Existing, listener);
  const auto known = by_peer_.find(from.worker);
  if (known != by_peer_.end() && known->second->state == Link::State::Up)
    return refused(door::Refusal::Existing, listener, known->second->own_name);
  const bool calling = std::any_of(all_.begin(), all_.end(), [&](const auto& link) {
    return link->calling.call != nullptr && link->peer == from.worker &&
           loop_.now() < link->calling.called_at + kCrossingFor;
  });
  if (calling && loop_.id() < from.worker) return refused(door::Refusal::Crossing, listener);
  if (!is_local && isNearer(from))
    return door::Refused{door::Refusal::Nearer, 0, listener, loop_.id(), localName()};
  return is_local ? answerLocally(from, std::move(descriptors), listener)
                  : answerByUcx(from, listener);
}

void Links::onAccepted(const door::Hello& from, std::unique_ptr<door::Connection> connection) {
  // Not used before its caller is heard: that may have found another way meanwhile, and leave this
  // one.
  const std::uint64_t own_name = nameFor(from);
  std::unique_ptr<local::Channel> channel;
  if (connection->peerAddress().isUnix()) {
    channel = takeAnswered(own_name);
    if (channel == nullptr) return;  // too late: hang up
  }
  Link& link = add(ChannelKind::Ucp);
  orFail(link,
         [&] { bringUp(link, from, std::move(connection), std::move(channel), own_name, false); });
  link.calling.give_up_at = base::deadlineAfter(loop_.options.connect_timeout);
  setCallDeadline(link);
}

void Links::gatherOn(Link& link) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    Link& other = *all_[i];
    if (other.state == Link::State::Connecting && other.calling.is_target_known &&
        other.peer == link.peer)
      moveEndpoints(other, link);
  }
}

void Links::onWelcome(Link& link, const door::Hello& from, door::Descriptors descriptors,
                      std::unique_ptr<door::Connection> connection) {
  link.calling.call = nullptr;
  if (link.local != nullptr) {
    if (!joinLocally(link, from, std::move(descriptors))) return;
  } else if (link.calling.knocks || !isReadable(from.ucx_address)) {
    return failCalling(link, UCS_ERR_UNREACHABLE, toString(door::Refusal::Malformed));
  }
  if (link.calling.is_target_known && from.worker != link.peer) {
    // The socket that was called has passed to another worker.
    return link.fail(UCS_ERR_UNREACHABLE);
  }
  for (EndpointState* endpoint : link.pairs().all()) {
    if (endpoint->by_name) endpoint->listener = from.listener;
  }
  Link* const other = crossing(from.worker);
  if (!link.calling.routes.empty())
    (other != nullptr ? *other : link).calling.names.remember(link.calling.routes, from.listener);
  if (other != nullptr) return leaveFor(*other, link);
  bringUp(link, from, std::move(connection), std::move(link.local), link.own_name, true);
  if (link.isUsable()) gatherOn(link);
}

/// The link that a call to `peer` found there when it was welcomed, and that stays: the one in use,
/// else the one that the smaller worker called. The other side decides alike.
Link* Links::crossing(const base::Id128& peer) const noexcept {
  const auto found = by_peer_.find(peer);
  if (found == by_peer_.end() || !found->second->isStaying()) return nullptr;
  return found->second->isUsable() || peer < loop_.id() ? found->second : nullptr;
}

/// The call of `link` is over; the peer sees the socket end and forgets it.
void Links::leaveFor(Link& other, Link& link) {
  if (other.isUsable()) return moveEndpoints(link, other);
  // Not heard of its caller yet: then they move (gatherOn), or call again if nothing comes of it.
  link.peer = other.peer;
  link.calling.is_target_known = true;
  callAgain(link);
}

void Links::bringUp(Link& link, const door::Hello& from,
                    std::unique_ptr<door::Connection> connection,
                    std::unique_ptr<local::Channel> channel, std::uint64_t own_name,
                    bool own_call) {
  if (channel == nullptr) link.calling.route.why_not = whyNotLocal(link, from);
  try {
    link.prepare(from, std::move(connection), std::move(channel), own_name, own_call);
  } catch (const Error& error) {
    link.failure = fmt::format(" ({})", error.what());
    base::log(LogLevel::Warn, "link", "cannot reach worker {}: {}", from.worker, error.what());
    return link.fail(UCS_ERR_UNREACHABLE);
  }
  enlist(link);
  link.openAll();
  link.review.ask();  // perhaps nobody needs it any more
}

void Links::onCallEnded(Link& link, const door::Call& call, ucs_status_t status,
                        const door::Refused* refused) {
  link.calling.call = nullptr;
  setCallDeadline(link);
  if (link.pairs().isEmpty()) return link.end();  // they are on another link now
  if (tryAnotherWay(link, status, refused)) return;
  if (refused == nullptr) return failAsAnswered(link, call, status);
  if (refused->reason == door::Refusal::Crossing) return callAgain(link);
  if (refused->reason != door::Refusal::Existing) {
    base::log(LogLevel::Warn, "link", "the peer refused: {}", toString(refused->reason));
    return failAsAnswered(link, call, statusOf(refused->reason));
  }
  Link* existing = refused->worker == loop_.id() ? &self() : findByPeerName(refused->link);
  if (existing == nullptr || !existing->isUsable()) {  // it is ending just now
    return callAgain(link);
  }
  if (!link.calling.routes.empty() && existing->channel != ChannelKind::Self)
    existing->calling.names.remember(link.calling.routes, refused->listener);
  goOver(link, *existing, refused->listener);
}

/// The name that was called is one of `listener` of the peer of `existing`.
void Links::goOver(Link& link, Link& existing, std::uint64_t listener) {
  for (EndpointState* endpoint : link.pairs().all()) {
    if (endpoint->by_name) endpoint->listener = listener;
  }
  moveEndpoints(link, existing);
}

/// The rest of their life is on `to`. A call of `from` goes on: the peer may have welcomed it
/// already and use the link, which ends when neither side needs it.
void Links::moveEndpoints(Link& from, Link& to) {
  for (EndpointState* endpoint : from.pairs().all()) {
    if (endpoint->isOver()) continue;  // by a callback of the one before
    from.drop(*endpoint);
    try {
      to.adopt(*endpoint);
    } catch (const std::bad_alloc&) {
      endEndpoint(*endpoint, UCS_ERR_NO_MEMORY);
    }
  }
  if (from.calling.call == nullptr) from.end();
}

}  // namespace ucxx::core
