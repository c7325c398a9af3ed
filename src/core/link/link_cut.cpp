// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Sends of an endpoint that was closed by force may still be in flight over UCX, which lets go of
// their buffers only with its end of the link. So that ends when nothing else needs it and its peer
// takes nothing more: it is stopped, or computes.

#include "base/clock.h"
#include "base/list.h"
#include "core/bulk/assembly.h"
#include "core/bulk/incoming_payloads.h"
#include "core/bulk/offers.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/endpoint_state.h"
#include "core/link/endpoints.h"
#include "core/link/link.h"
#include "core/loop/deadlines.h"

namespace ucxx::core {
namespace {

/// So long nothing has moved: who lives and makes progress needs less.
constexpr auto kStillFor = std::chrono::seconds(1);

/// `endpoint` is over, and sends of it are not.
bool isLeaving(const EndpointState& endpoint, const Link& link) noexcept {
  return endpoint.link == &link && endpoint.isOver() && !endpoint.sends.empty();
}

}  // namespace

void Link::cutWhenStill() noexcept {
  if (channel == ChannelKind::Ucp && !cut_deadline.isSet()) watchMotion();
}

Link::Motion Link::motion() const noexcept {
  return {messagesHandled(), pending_parts, offers_.piecesEnded()};
}

void Link::watchMotion() noexcept {
  motion_at_look_ = motion();
  cut_deadline.set(base::deadlineAfter(kStillFor));
}

void Link::cutIfStill() noexcept {
  if (state == State::Ended) return;
  bool is_waited_for = false, is_needed = endpointCount() != 0 || incoming_.isFetching();
  endpointsOf(loop).each([&](const EndpointState& endpoint) {
    if (!isLeaving(endpoint, *this)) return;
    // One that was dropped gives nothing up.
    (endpoint.revokes ? is_waited_for : is_needed) = true;
  });
  if (!is_waited_for) return;
  if (is_needed || assembly_.isActive() || motion() != motion_at_look_) return watchMotion();
  fail(UCS_ERR_CONNECTION_RESET);
}

}  // namespace ucxx::core
