// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/endpoint_state.h"

#include <cstddef>
#include <exception>
#include <utility>

#include <netinet/in.h>

#include "base/log.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/condition/armed.h"
#include "core/link/calling.h"
#include "core/link/endpoints.h"
#include "core/link/flush_close.h"
#include "core/link/link.h"
#include "core/link/recalls.h"
#include "core/link/untaken.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/match/landing.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/onesided/accesses.h"
#include "core/plan/plan.h"
#include "core/request/operation_actions.h"
#include "core/request/outcome.h"
#include "core/wire/reached.h"

namespace ucxx::core {
namespace {

void discardMessages(EndpointState& endpoint) noexcept {
  while (Message* message = endpoint.am_messages.popFront()) discard(message);
  while (Message* message = endpoint.am_held.popFront()) discard(message);
  while (Message* message = endpoint.stream_messages.front()) {
    if (message->fetching) return;  // its end comes back to the stream
    endpoint.stream_messages.remove(*message);
    discard(message);
  }
}

/// Ends `op` if it can be ended now, without its peer.
bool tryEnd(Operation& op, ucs_status_t status) noexcept {
  if (op.stage == Stage::Armed) return endArmed(op, status);
  if (!withdrawOperation(op)) return op.stage == Stage::Moving && actionsOf(op).revoke(op, status);
  complete(op, status);
  return true;
}

/// Grows when an operation leaves one of the lists.
std::uint64_t changesOf(const Loop& loop) noexcept {
  return loop.counters.ended.value() + loop.counters.disarmed.value();
}

std::size_t endPending(PendingList& pending, ucs_status_t status,
                       bool (*end)(Operation&, ucs_status_t) noexcept) noexcept {
  std::size_t cancelled = 0;
  if (pending.empty()) return cancelled;
  Loop& loop = *pending.front()->loop;
  const std::uint64_t last = loop.lastOrder();  // what callbacks post is left
  for (Operation* op = pending.front(); op != nullptr && op->order <= last;) {
    Operation* next = pending.after(*op);
    const std::uint64_t before = changesOf(loop);
    const std::uint64_t own = op->stage == Stage::Armed ? 2 : 1;
    if (end(*op, status)) {
      ++cancelled;
      // The callback has ended or started others, perhaps the next: begin anew.
      if (changesOf(loop) != before + own) next = pending.front();
    }
    op = next;
  }
  return cancelled;
}

/// The peer was asked for sends of the endpoint, and has had its time to answer.
void endUnanswered(EndpointState& endpoint) noexcept {
  if (endpoint.link != nullptr) endpoint.link->recalls().endUnanswered(endpoint);
}

}  // namespace

EndpointState::EndpointState(Loop& loop_, bool own_opened_)
    : loop(loop_),
      key(nextId()),
      own_opened(own_opened_),
      close_deadline(loop.deadlines, *this, [](EndpointState& it) { closeByForce(it); }),
      recall{{loop.deadlines, *this, [](EndpointState& it) { endUnanswered(it); }}, 0},
      connect{{loop.deadlines, *this,
               [](EndpointState& it) {
                 if (it.listed) linksOf(it.loop).giveUpConnecting(it);
               }},
              {}},
      review(loop.reviews, *this, [](EndpointState& it) { endpointsOf(it.loop).freeIfDone(it); }) {
  enlistHandle(key, loop.user());
}

EndpointState::~EndpointState() {
  delistHandle(key);
  discardMessages(*this);
}

void tellWhy(EndpointState& endpoint, std::string_view reason) noexcept try {
  endpoint.reason = reason;
} catch (const std::bad_alloc&) {
}

void runCloseCallback(EndpointState& endpoint) noexcept {
  try {
    // Moved out: it may drop the endpoint, or be replaced, while it runs.
    const auto callback = std::exchange(endpoint.close_callback, nullptr);
    const auto data = std::exchange(endpoint.close_data, nullptr);
    if (callback) callback(endpoint.error, data);
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "endpoint", "a close callback threw: {}", error.what());
  } catch (...) {
    base::log(LogLevel::Error, "endpoint", "a close callback threw");
  }
}

namespace {

/// The ends of the socket of a link, which several endpoints share.
std::optional<SocketEnds> linkEnds(const Link* link) {
  if (link == nullptr) return std::nullopt;
  if (link->channel != ChannelKind::Ucp) {
    const door::SocketAddress loopback = door::resolve("127.0.0.1", 0, false).front();
    return SocketEnds{loopback, loopback};
  }
  if (link->connection == nullptr) return std::nullopt;
  return SocketEnds{link->connection->localAddress(), link->connection->peerAddress()};
}

void setPort(door::SocketAddress& address, std::uint16_t port) noexcept {
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  if (port != 0) reinterpret_cast<sockaddr_in&>(address.storage).sin_port = htons(port);
}

}  // namespace

std::optional<SocketEnds> socketEnds(const EndpointState& endpoint) {
  std::optional<SocketEnds> ends = linkEnds(endpoint.link);
  if (!ends) return ends;
  const bool is_callers = endpoint.own_opened;
  setPort(is_callers ? ends->local : ends->peer,
          is_callers ? callersPort(endpoint.listener) : endpoint.callers_port);
  setPort(is_callers ? ends->peer : ends->local, endpoint.called_port);
  return ends;
}

void startSend(Operation& op) {
  if (op.endpoint->isOver()) return complete(op, op.endpoint->overStatus());
  op.endpoint->link->send(op);
}

bool withdrawSend(Operation& op) noexcept {
  if (!op.wait_node.linked()) return false;
  op.endpoint->link->withdraw(op);
  return true;
}

bool revokeAccess(Operation& op, ucs_status_t status) noexcept {
  return linkOf(*op.port).accesses().revoke(op, status);
}

bool withdrawOperation(Operation& op) noexcept {
  if (op.stage == Stage::Armed) return disarm(op);
  return op.stage == Stage::Waiting && actionsOf(op).withdraw(op);
}

bool endOrRecall(Operation& op, ucs_status_t status) noexcept {
  if (tryEnd(op, status)) return true;
  const bool is_send = isOutgoing(op.kind) && !isOneSided(op.kind);
  return is_send && op.stage == Stage::Moving && linkOf(*op.port).recalls().recall(op, status);
}

void cancelOperation(Operation& op) noexcept {
  if (op.kind == OperationKind::Close) return closeByForce(*op.endpoint);  // nobody waits any more
  if (endOrRecall(op, UCS_ERR_CANCELED)) return;
  if (op.outcome.isDisowned()) turnBack(op);
  if (op.ended()) return;
  if (op.stage == Stage::Armed) {  // it ends with its repetition
    Operation& repetition = *op.armed->repetition();
    return repetition.ended() ? void() : cancelOperation(repetition);
  }
  if (op.endpoint != nullptr && !std::exchange(op.cancelled, true))
    op.endpoint->canceling.fetch_add(1, std::memory_order_relaxed);
}

std::size_t cancelPending(PendingList& pending, ucs_status_t status) noexcept {
  return endPending(pending, status, endOrRecall);
}

std::size_t cancelPending(EndpointState& endpoint, ucs_status_t status) noexcept {
  std::size_t cancelled = cancelPending(endpoint.armed, status);
  cancelled += cancelPending(endpoint.sends, status);
  return cancelled + cancelPending(endpoint.others, status);
}

void endEndpoint(EndpointState& endpoint, ucs_status_t status) noexcept {
  if (endpoint.isOver()) return;
  if (status != UCS_OK && endpoint.link != nullptr && endpoint.reason.empty())
    tellWhy(endpoint, endpoint.link->failure);
  endpoint.is_cut_off = !endpoint.sends.empty() || isFlushing(endpoint);
  endpoint.error = status;
  endpoint.phase = status == UCS_OK ? EndpointPhase::Closed : EndpointPhase::Failed;
  if (endpoint.link != nullptr) {
    if (endpoint.listed) endpoint.link->calling.is_unwanted = true;
    endpoint.link->drop(endpoint);
  }
  runCloseCallback(endpoint);
  // What came before the end can still be received, unless this side closed.
  if (status == UCS_OK) {
    while (!endpoint.am_held.empty()) refuseReceiver(endpoint, endpoint.overStatus());
    discardMessages(endpoint);
  }
  if (status == UCS_OK || !endpoint.has_user) endStanding(endpoint);
  endStreamReceives(endpoint);
  endPlans(endpoint);
  // What the peer knows of it may still take: its receives do not need the endpoint.
  for (PendingList* pending : {&endpoint.armed, &endpoint.sends, &endpoint.others})
    endPending(*pending, endpoint.overStatus(), tryEnd);
  revokeSends(endpoint);
  if (status == UCS_OK) linksOf(endpoint.loop).revokeReceives(endpoint);
  const bool has_failed = status != UCS_OK;
  if (has_failed) endOfFailed(endpoint);
  finishClose(endpoint, has_failed);
  endpoint.review.ask();
}

}  // namespace ucxx::core
