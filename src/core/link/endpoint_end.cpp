// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/endpoint_end.h"

#include <exception>
#include <utility>

#include "base/list.h"
#include "base/log.h"
#include "core/channel/port.h"
#include "core/link/calling.h"
#include "core/link/flush_close.h"
#include "core/link/link.h"
#include "core/link/untaken.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/plan/plan.h"
#include "core/request/cancel.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"

namespace ucxx::core {

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

void endEndpoint(EndpointState& endpoint, ucs_status_t status) noexcept {
  if (endpoint.isOver()) return;
  if (status != UCS_OK && endpoint.inlet != nullptr && endpoint.reason.empty())
    tellWhy(endpoint, endpoint.inlet->failure);
  endpoint.is_cut_off = !endpoint.sends.empty() || isFlushing(endpoint);
  endpoint.error = status;
  endpoint.phase = status == UCS_OK ? EndpointPhase::Closed : EndpointPhase::Failed;
  if (endpoint.inlet != nullptr) {
    if (endpoint.listed) linkOf(endpoint)->calling.is_unwanted = true;
    linkOf(endpoint)->drop(endpoint);
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
  // Operations that wait end. A send that the peer knows of already is only taken back
  // (revokeSends): a receive of the peer may still take its message, which needs no endpoint.
  for (PendingList* pending : {&endpoint.armed, &endpoint.sends, &endpoint.others})
    endPending(*pending, endpoint.overStatus());
  revokeSends(endpoint);
  if (status == UCS_OK) linksOf(endpoint.loop).revokeReceives(endpoint);
  const bool has_failed = status != UCS_OK;
  if (has_failed) endOfFailed(endpoint);
  finishClose(endpoint, has_failed);
  endpoint.review.ask();
}

}  // namespace ucxx::core
