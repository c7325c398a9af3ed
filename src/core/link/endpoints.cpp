// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/endpoints.h"

#include <ucxx/request_endpoint_close.h>

#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/list.h"
#include "core/link/flush_close.h"
#include "core/link/link.h"
#include "core/link/linked_endpoint.h"
#include "core/link/recalls.h"
#include "core/link/untaken.h"
#include "core/loop/post.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/request/cancel.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/requests.h"
#include "door/door.h"

namespace ucxx::core {

void LinkedEndpoint::onRecallUnanswered() noexcept {
  if (inlet != nullptr) linkOf(*this)->recalls().endUnanswered(*this);
}

void LinkedEndpoint::onConnectLate() noexcept {
  if (listed) linksOf(loop).giveUpConnecting(*this);
}

void LinkedEndpoint::onReviewDue() { endpointsOf(loop).freeIfDone(*this); }

EndpointState& Endpoints::add(bool own_opened) {
  auto endpoint = std::make_unique<LinkedEndpoint>(loop_, own_opened);
  EndpointState& state = *endpoint;
  state.id = state.key;  // the peer's opens bring their own
  all_.emplace(state.key, std::move(endpoint));
  return state;
}

std::vector<EndpointState*> Endpoints::all() const {
  std::vector<EndpointState*> result;
  for (const auto& [key, endpoint] : all_) result.push_back(endpoint.get());
  return result;
}

std::size_t Endpoints::cancelFailed() noexcept {
  std::size_t cancelled = 0;
  each([&](EndpointState& endpoint) {
    if (endpoint.isOver()) cancelled += cancelPending(endpoint, endpoint.overStatus());
  });
  return cancelled;
}

EndpointState* Endpoints::find(std::uint64_t key) const noexcept {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : found->second.get();
}

EndpointState::ReleasePost::ReleasePost(EndpointState& endpoint_) noexcept : endpoint(endpoint_) {
  run = [](Loop& loop, Post& self) {
    endpointsOf(loop).release(static_cast<ReleasePost&>(self).endpoint);
  };
}

void Endpoints::release(EndpointState& endpoint) noexcept {
  if (base::isForkedChild()) return;  // of a callback that forked
  endpoint.has_user = false;
  endpoint.review.ask();
  if (endpoint.isOver()) endStanding(endpoint);
  if (endpoint.isOver() || endpoint.phase == EndpointPhase::Closing) return;
  try {
    const auto close = makeRequest<RequestEndpointClose>(nullptr, OperationKind::Close);
    close->operation().endpoint = &endpoint;
    close->operation().extra = std::make_unique<CloseExtra>();
    requestsOf(loop_).submit(close->operation());
  } catch (const std::bad_alloc&) {
    closeNow(endpoint);  // nothing waits for its sends
  }
}

void Endpoints::forget(const Link& link) noexcept {
  for (auto& [key, endpoint] : all_) {
    if (endpoint->inlet == &link) endpoint->inlet = nullptr;
  }
}

void Endpoints::freeIfDone(EndpointState& endpoint) noexcept {
  if (endpoint.has_user || endpoint.has_request || !endpoint.isOver()) return;
  if (endpoint.pendingCount() != 0 || !endpoint.armed.empty()) return;
  if (endpoint.queued.load(std::memory_order_acquire) != 0) return;
  if (fetchedPiece(endpoint) != nullptr) return;
  warnOfLosses(endpoint);
  all_.erase(endpoint.key);
}

}  // namespace ucxx::core
