// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Calls of a name that a worker has answered before: while there is a link to it, the question
// that its door would answer goes by that, without a new socket and another segment. The door is
// called if the listener is gone, for the name may be another program's by now, or if the link
// ends.

#include <algorithm>

#include "base/clock.h"
#include "base/id128.h"
#include "core/channel/port.h"
#include "core/link/called_names.h"
#include "core/link/calling.h"
#include "core/link/link.h"
#include "core/link/pairs.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/meet/calls.h"
#include "core/meet/links.h"
#include "core/meet/listeners.h"
#include "core/wire/reached.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

/// A peer that has not answered for so long computes, or is gone; perhaps another program has its
/// port by now.
constexpr auto kAnswerWithin = std::chrono::milliseconds(100);
/// Ports of callers that have no socket of their own: above those that need rights, below those
/// that Linux gives to sockets by itself.
constexpr std::uint16_t kFirstPort = 1024, kEndOfPorts = 32768;

}  // namespace

/// False: there is no such link.
bool Links::askByLink(Link& link) {
  for (auto& other : all_) {
    if (to(other->peer) != other.get()) continue;
    const auto listener = other->calling.names.listenerAt(link.calling.routes);
    if (!listener) continue;
    link.calling.asks = {other.get(), base::randomU64()};
    WireHeader header = other->headerFor(MessageKind::ListenerAsk, {}, *listener, 0);
    header.endpoint = link.calling.asks.number;
    other->sendControl(header);
    link.calling.retry_at = base::deadlineAfter(kAnswerWithin);
    setCallDeadline(link);
    loop_.lookOften();
    return true;
  }
  return false;
}

/// The door is called: whatever is answered comes too late.
void Links::endAsking(Link& link) noexcept {
  if (link.calling.asks.over == nullptr) return;
  Link& over = *std::exchange(link.calling.asks, {}).over;
  over.calling.names.forget(link.calling.routes);
  over.review.ask();  // a goodbye may have waited for this
}

bool Links::isAsking(const Link& over) const noexcept {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const auto& link) { return link->calling.asks.over == &over; });
}

/// Callers are told from each other by their ports: another one each time, until all were given.
std::uint16_t Links::portForCaller() noexcept {
  last_port_ = last_port_ < kFirstPort || last_port_ + 1 == kEndOfPorts
                   ? kFirstPort
                   : static_cast<std::uint16_t>(last_port_ + 1);
  return last_port_;
}

void Links::onListenerAsk(Link& over, std::uint64_t number, std::uint64_t listener) {
  const std::uint64_t id = listenerOf(listener);
  const bool is_there = id != 0 && listenersOf(loop_).find(id) != nullptr;
  WireHeader header = over.headerFor(MessageKind::ListenerAnswer, {},
                                     is_there ? reachedFrom(id, portForCaller()) : 0, 0);
  header.endpoint = number;
  over.sendControl(header);
}

/// `listener`: 0 if it has gone.
void Links::onListenerAnswer(Link& over, std::uint64_t number, std::uint64_t listener) {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& link) {
    return link->calling.asks.over == &over && link->calling.asks.number == number;
  });
  if (found == all_.end()) return;  // nobody waits for it any more
  Link& link = **found;
  over.review.ask();  // a goodbye may have waited for this
  if (link.pairs().isEmpty()) return link.end();
  if (listener == 0 || to(over.peer) != &over) return callNow(link);
  link.calling.asks = {};
  link.calling.retry_at = base::TimePoint::max();
  setCallDeadline(link);
  orFail(link, [&] { goOver(link, over, listener); });
}

void Links::callNow(Link& link) noexcept {
  link.calling.retry_at = loop_.now();
  setCallDeadline(link);
}

/// Whoever asked by `over` calls the door.
void Links::stopAsking(const Link& over) noexcept {
  for (auto& link : all_) {
    if (link->calling.asks.over != &over) continue;
    link->calling.asks = {};
    callNow(*link);
  }
}

}  // namespace ucxx::core
