// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The end of a loop.

#include <algorithm>

#include "base/clock.h"
#include "base/completion.h"
#include "base/list.h"
#include "base/log.h"
#include "core/channel/channels.h"
#include "core/condition/conditions.h"
#include "core/link/endpoint_end.h"
#include "core/link/endpoints.h"
#include "core/link/goodbye.h"
#include "core/link/link.h"
#include "core/link/untaken.h"
#include "core/loop/loop.h"
#include "core/loop/owner.h"
#include "core/loop/patience.h"
#include "core/loop/posts.h"
#include "core/loop/reviews.h"
#include "core/loop/watch.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/meet/links.h"
#include "core/request/cancel.h"
#include "core/request/device_copies.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/requests.h"
#include "core/wire/wire.h"
#include "core/worker/worker_state.h"
#include "local/hub.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

/// How long what was sent may stay where it is.
constexpr auto kPatience = std::chrono::milliseconds(100);
/// How long others may take to let go: callbacks and helpers, then UCX.
constexpr auto kEndPatience = std::chrono::seconds(1);
/// Between two looks for what a peer does, which may need this processor for it. Nobody rings any
/// more: what the peer has sent stays unread.
constexpr auto kPause = std::chrono::microseconds(100);

/// Returns what `look` does; if that was in vain for long, after a pause.
template <class Look>
bool lookFor(const Look& look) {
  Patience& patience = Patience::ofThisThread();
  const bool found = look();
  if (found)
    patience.begin();
  else if (patience.isOverForPayload(base::Clock::now()))
    base::Clock::sleepFor(kPause);
  return found;
}

}  // namespace

/// What local peers have no room for yet goes out as long as they take it.
void WorkerState::pushIntoRings() noexcept {
  if (carriers.hub == nullptr) return;
  const base::TimePoint end = base::deadlineAfter(options.close_timeout);
  base::TimePoint patience = base::deadlineAfter(kPatience);
  while (carriers.hub->isHoldingBack() && base::Clock::now() < std::min(patience, end)) {
    if (lookFor([&] { return carriers.hub->sendWaiting(); }))
      patience = base::deadlineAfter(kPatience);
  }
}

/// Gives UCX a moment to hand to the kernel what was sent; peers are not waited for.
void WorkerState::pushOutOfUcx() noexcept {
  if (carriers.ucx_links == 0) return;
  last_flush_.done = [](base::Completion& self, ucs_status_t) {
    static_cast<LastFlush&>(self).ended = true;
  };
  if (carriers.ucp->flush(last_flush_) != UCS_INPROGRESS) return;
  const base::TimePoint deadline = base::deadlineAfter(kPatience);
  while (!last_flush_.ended && base::Clock::now() < deadline) carriers.ucp->progress();
}

/// Peers that are copying into local buffers just now are waited for, but not for ever: one that
/// was stopped in between may write late. A peer that may push into a plan leaves the link when it
/// looks: it is not waited for so long, since it may have other things to do.
void WorkerState::waitForHelpers(base::TimePoint deadline) noexcept {
  const base::TimePoint patience = base::deadlineAfter(kPatience);
  while (!copies.empty() && base::Clock::now() < deadline) {
    lookFor([&] { return copies.look(now()); });
    if (base::Clock::now() > patience) links->abandonPlans();
  }
  if (copies.empty()) return;
  base::log(LogLevel::Warn, "worker", "a stopped peer may still write to a buffer");
  links->abandonCopies();
}

/// Peers of links without endpoints are not to take the end of this worker for a failure.
void WorkerState::sayGoodbyes() noexcept {
  for (auto& link : links->all())
    if (link->goodbye.isLingering()) link->goodbye.stopLingering();
}

void WorkerState::shutDown() noexcept {
  owner.reserve();  // whatever waits for a thread ends now
  const auto deadline = base::deadlineAfter(kEndPatience);
  const auto drain = [&] {
    while (posts.drain() && base::Clock::now() < deadline) {
    }
  };
  drain();
  conditions.end();
  endpoints.each([&](EndpointState& endpoint) {
    countAllLosses(endpoint);
    if (!endpoint.listed) return;
    Link& link = *linkOf(endpoint);
    if (link.isStaying()) link.sendControl(MessageKind::Close, endpoint);
    endEndpoint(endpoint, UCS_OK);
  });
  sayGoodbyes();
  pushIntoRings();
  pushOutOfUcx();
  for (auto& link : links->all()) link->end();
  waitForHelpers(deadline);
  if (!device_copies.finish(base::deadlineAfter(kEndPatience)))
    base::log(LogLevel::Warn, "worker", "a device that has stopped may still write to a buffer");
  drain();  // what callbacks of those ends have posted
  cancelPending(requests.armed, UCS_ERR_CANCELED);
  cancelPending(requests.pending, UCS_ERR_CANCELED);
  device_copies.finish({});  // what callbacks of those ends have begun
  // UCX has a time of its own: a helper that was stopped may have taken all of the other.
  const auto ucx_deadline = base::deadlineAfter(kEndPatience);
  while (carriers.ucx_links != 0 && base::Clock::now() < ucx_deadline) {
    carriers.ucp->progress();
    reviews.run();
  }
}

/// UCX has not ended all requests in time. It waits with a failed rendezvous until no other worker
/// of the context sends the same buffer, and then comes back to memory of its worker: that must
/// stay. All lanes are closed, so nobody touches a buffer any more.
void WorkerState::abandonUcp() noexcept {
  base::log(LogLevel::Warn, "worker",
            "UCX still holds requests of {} peers: its worker is left behind", carriers.ucx_links);
  endpoints.each([&](EndpointState& endpoint) {
    for (PendingList* pending : {&endpoint.sends, &endpoint.others}) {
      while (Operation* op = pending->front()) complete(*op, endpoint.overStatus());
    }
  });
  while (Operation* op = requests.pending.front()) complete(*op, UCS_ERR_CANCELED);
  channels.abandonUcp();
  links->abandon();
}

}  // namespace ucxx::core
