// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/stillness.h"

#include "base/clock.h"
#include "base/list.h"
#include "core/bulk/assembly.h"
#include "core/bulk/incoming_payloads.h"
#include "core/bulk/offers.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/endpoints.h"
#include "core/link/link.h"
#include "core/link/pairs.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/request/endpoint_core.h"

namespace ucxx::core {
namespace {

/// So long nothing has moved: who lives and makes progress needs less.
constexpr auto kStillFor = std::chrono::seconds(1);

/// `endpoint` is over, and sends of it are not.
bool isLeaving(const EndpointState& endpoint, const Link& link) noexcept {
  return endpoint.inlet == &link && endpoint.isOver() && !endpoint.sends.empty();
}

}  // namespace

Stillness::Stillness(Link& link) noexcept
    : link_(link), next_look_(link.loop.deadlines, *this, [](Stillness& it) { it.look(); }) {}

void Stillness::watch() noexcept {
  if (link_.channel == ChannelKind::Ucp && !next_look_.isSet()) lookLater();
}

Stillness::Motion Stillness::motion() const noexcept {
  return {link_.messagesHandled(), link_.pending_parts, link_.offers().piecesEnded()};
}

void Stillness::lookLater() noexcept {
  motion_at_look_ = motion();
  next_look_.set(base::deadlineAfter(kStillFor));
}

void Stillness::look() noexcept {
  if (link_.state == Link::State::Ended) return;
  bool is_waited_for = false;
  bool is_needed = !link_.pairs().isEmpty() || link_.incoming().isFetching();
  endpointsOf(link_.loop).each([&](const EndpointState& endpoint) {
    if (!isLeaving(endpoint, link_)) return;
    // One that was dropped gives nothing up.
    (endpoint.revokes ? is_waited_for : is_needed) = true;
  });
  if (!is_waited_for) return;
  const bool moves = link_.assembly().isActive() || motion() != motion_at_look_;
  if (is_needed || moves) return lookLater();
  link_.fail(UCS_ERR_CONNECTION_RESET);
}

}  // namespace ucxx::core
