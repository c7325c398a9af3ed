// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/intake.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/list.h"
#include "core/channel/port.h"
#include "core/link/endpoints.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/match/matcher.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"

namespace ucxx::core {

bool Intake::hasRoomFor(std::size_t size) const noexcept {
  const std::size_t limit = port_.loop.options.unexpected_bytes;
  return coming_ == 0 || (coming_ < kMostAtOnce && size <= limit && coming_bytes_ <= limit - size);
}

void Intake::waits(const EndpointState& endpoint) { order_.push_back(endpoint.key); }

void Intake::begins(std::size_t size) noexcept {
  ++coming_;
  coming_bytes_ += size;
}

void Intake::ends(std::size_t size) noexcept {
  --coming_;
  coming_bytes_ -= size;
  if (std::exchange(is_starting_, true)) return;
  while (EndpointState* endpoint = port_.isSending() ? next() : nullptr) {
    if (!hasRoomFor(endpoint->am_held.front()->size)) break;
    order_.pop_front();
    startReceiver(*endpoint);
  }
  is_starting_ = false;
}

/// Whose message is to come next; null: there is none. Those of endpoints that are over have gone
/// with them.
EndpointState* Intake::next() noexcept {
  while (!order_.empty()) {
    EndpointState* endpoint = endpointsOf(port_.loop).find(order_.front());
    if (endpoint != nullptr && !endpoint->am_held.empty()) return endpoint;
    order_.pop_front();
  }
  return nullptr;
}

void Intake::moves(const EndpointState& from, const EndpointState& to) noexcept {
  std::replace(order_.begin(), order_.end(), from.key, to.key);
}

void Intake::end(ucs_status_t status) noexcept {
  while (EndpointState* endpoint = next()) {
    order_.pop_front();
    refuseReceiver(*endpoint, status);
  }
}

}  // namespace ucxx::core
