// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The loop's table of endpoints: where they begin and end.

#include <ucxx/request_endpoint_close.h>

#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/list.h"
#include "core/link/endpoint_state.h"
#include "core/link/link.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/meet/worker_address.h"
#include "core/request/operation.h"
#include "core/worker/loop.h"
#include "door/door.h"

namespace ucxx::core {

EndpointState& Loop::newEndpoint(bool own_opened) {
  auto endpoint = std::make_unique<EndpointState>(*this, own_opened);
  EndpointState& state = *endpoint;
  state.id = state.key;  // the peer's opens bring their own
  endpoints_.emplace(state.key, std::move(endpoint));
  return state;
}

EndpointState& Loop::open(const WorkerAddress& address, bool error_handling, Limit limit) {
  EndpointState* adopted = nullptr;
  if (Link* link = address.worker == id_ ? nullptr : links_->to(address.worker))
    adopted = link->unadopted();
  else
    links_->requireWay(address);
  EndpointState& endpoint =
      adopted != nullptr ? *adopted : openNew(limit, [&](EndpointState& opening) {
        links_->openByAddress(opening, address);
      });
  endpoint.giveToUser(error_handling);
  return endpoint;
}

EndpointState& Loop::openByName(std::vector<door::SocketAddress> addresses, bool error_handling,
                                Limit limit) {
  EndpointState& endpoint = openNew(
      limit, [&](EndpointState& opening) { links_->openByName(opening, std::move(addresses)); });
  endpoint.giveToUser(error_handling);
  return endpoint;
}

/// A new endpoint, unless `open` throws: then it is gone again.
template <class Open>
EndpointState& Loop::openNew(Limit limit, const Open& open) {
  EndpointState& endpoint = newEndpoint(true);
  endpoint.connectWithin(limit.value_or(options.connect_timeout));
  try {
    open(endpoint);
  } catch (...) {
    endEndpoint(endpoint, UCS_ERR_NO_MEMORY);
    throw;
  }
  return endpoint;
}

std::vector<EndpointState*> Loop::endpoints() const {
  std::vector<EndpointState*> result;
  for (const auto& [key, endpoint] : endpoints_) result.push_back(endpoint.get());
  return result;
}

std::size_t Loop::cancelFailed() noexcept {
  std::size_t cancelled = 0;
  forEachEndpoint([&](EndpointState& endpoint) {
    if (endpoint.isOver()) cancelled += cancelPending(endpoint, endpoint.overStatus());
  });
  return cancelled;
}

EndpointState* Loop::findEndpoint(std::uint64_t key) const noexcept {
  const auto found = endpoints_.find(key);
  return found == endpoints_.end() ? nullptr : found->second.get();
}

EndpointState::ReleasePost::ReleasePost(EndpointState& endpoint_) noexcept : endpoint(endpoint_) {
  run = [](Loop& loop, Post& self) {
    loop.releaseEndpoint(static_cast<ReleasePost&>(self).endpoint);
  };
}

void Loop::releaseEndpoint(EndpointState& endpoint) noexcept {
  if (base::isForkedChild()) return;  // of a callback that forked
  endpoint.has_user = false;
  endpoint.review.ask();
  if (endpoint.isOver()) endStanding(endpoint);
  if (endpoint.isOver() || endpoint.phase == EndpointPhase::Closing) return;
  try {
    const auto close = makeRequest<RequestEndpointClose>(nullptr, OperationKind::Close);
    close->operation().endpoint = &endpoint;
    close->operation().extra = std::make_unique<CloseExtra>();
    submit(close->operation());
  } catch (const std::bad_alloc&) {
    closeNow(endpoint);  // nothing waits for its sends
  }
}

void Loop::forgetLink(const Link& link) noexcept {
  for (auto& [key, endpoint] : endpoints_) {
    if (endpoint->link == &link) endpoint->link = nullptr;
  }
}

void Loop::freeEndpointIfDone(EndpointState& endpoint) noexcept {
  if (endpoint.has_user || endpoint.has_request || !endpoint.isOver()) return;
  if (endpoint.pendingCount() != 0 || !endpoint.armed.empty()) return;
  if (endpoint.queued.load(std::memory_order_acquire) != 0) return;
  if (fetchedPiece(endpoint) != nullptr) return;
  warnOfLosses(endpoint);
  endpoints_.erase(endpoint.key);
}

}  // namespace ucxx::core
