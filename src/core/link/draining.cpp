// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Links whose peers have gone: what these had sent is still received.

#include <utility>

#include "base/clock.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/meet/links.h"
#include "local/channel.h"

namespace ucxx::core {
namespace {

/// A link whose socket ended is drained until nothing has come for so long: what its peer sent
/// before may be on the way, or wait for a program that computes.
constexpr auto kDrainFor = std::chrono::milliseconds(10);

/// Until it is looked at again; what was put into a ring is there, and after UCX has lost a peer
/// that is gone nothing comes from it.
base::Duration drainTimeOf(const Link& link) noexcept {
  if (link.local == nullptr) return kDrainFor;
  const bool is_ucx_lost = link.is_gone && link.ucx_status != UCS_OK;
  return link.ucp == nullptr || is_ucx_lost ? base::Duration{} : kDrainFor;
}

}  // namespace

void Links::onUcxLost(Link& link, ucs_status_t status) {
  if (link.ucx_status != UCS_OK || link.state == Link::State::Ended) return;
  link.ucx_status = status;
  startDraining(link, status);
}

void Links::onLost(Link& link, ucs_status_t status) {
  link.is_gone = true;
  startDraining(link, status);
}

void Links::startDraining(Link& link, ucs_status_t status) {
  if (link.lost_status == UCS_OK) link.lost_status = status;
  if (link.local != nullptr) link.local->expectLast();
  link.messages_at_look = link.messagesHandled();
  link.drain_deadline.set(base::Clock::now() + drainTimeOf(link));
  loop_.lookOften();
}

/// A peer of which only UCX says that it has gone may go on sending: its silence is not waited for.
void Links::drain(Link& link) {
  if (link.state == Link::State::Ended) return;
  const bool is_read = link.local == nullptr || link.local->isDrained();
  const bool is_silent =
      !link.is_gone || drainTimeOf(link) == base::Duration{} ||
      std::exchange(link.messages_at_look, link.messagesHandled()) == link.messagesHandled();
  if (is_read && is_silent) return link.fail(link.lost_status);
  link.drain_deadline.set(loop_.now() + drainTimeOf(link));
}

}  // namespace ucxx::core
