// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/worker/worker_state.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/machine_memory.h"
#include "core/link/endpoint_end.h"
#include "core/link/link.h"
#include "core/link/pairs.h"
#include "core/link/untaken.h"
#include "core/loop/owner.h"
#include "core/loop/progress_thread.h"
#include "core/loop/rooms.h"
#include "core/match/endpoint_state.h"
#include "core/match/transfers.h"
#include "core/meet/worker_address.h"
#include "core/request/context_state.h"

namespace ucxx::core {
namespace {

WorkerOptions bounded(WorkerOptions options) {
  options.multi_bytes = std::min(options.multi_bytes, base::machineMemory() / 2);
  return options;
}

}  // namespace

WorkerState::WorkerState(std::shared_ptr<Context> context, const WorkerOptions& worker_options)
    : Loop(bounded(worker_options), context->state().hasWakeup()),
      channels(*this, std::move(context), poller) {
  rooms = {.requests = &requests,
           .device_copies = &device_copies,
           .conditions = &conditions,
           .channels = &channels,
           .inbox = &inbox,
           .watched_plans = &watched_plans,
           .endpoints = &endpoints,
           .links = nullptr,  // made below: UCX comes before
           .listeners = &listeners};
  if (channels.hub() == nullptr) channels.ensureUcp();
  links = std::make_unique<Links>(*this, poller);
  rooms.links = links.get();
  reportStalls();  // begins its timer
}

WorkerState::~WorkerState() {
  if (base::isForkedChild()) {  // all of it is the parent's: forget it
    (void)links.release();
    channels.abandon();
    endpoints.abandon();
    return;
  }
  thread.stop();
  while (!owner.tryEnter()) std::this_thread::yield();
  shutDown();
  if (carriers.ucx_links != 0) abandonUcp();
  links->clear();
  warnOfLosses(*this);
  endpoints.clear();
  discardMessages(*this);
  links.reset();
  channels.close();
}

void WorkerState::onTime() {
  links->onTime();
  conditions.onTime();
  reportStalls();
}

void WorkerState::warnOfUntaken() noexcept {
  const Visit entry(*this);
  if (entry.isOwner()) warnOfLosses(*this);
}

EndpointState& WorkerState::open(const WorkerAddress& address, bool error_handling, Limit limit) {
  EndpointState* adopted = nullptr;
  if (Link* link = address.worker == id() ? nullptr : links->to(address.worker))
    adopted = link->pairs().takePassive();
  else
    links->requireWay(address);
  EndpointState& endpoint =
      adopted != nullptr
          ? *adopted
          : openNew(limit, [&](EndpointState& opening) { links->openByAddress(opening, address); });
  endpoint.giveToUser(error_handling);
  return endpoint;
}

EndpointState& WorkerState::openByName(std::vector<door::SocketAddress> addresses,
                                       bool error_handling, Limit limit) {
  EndpointState& endpoint = openNew(
      limit, [&](EndpointState& opening) { links->openByName(opening, std::move(addresses)); });
  endpoint.giveToUser(error_handling);
  return endpoint;
}

/// A new endpoint, unless `open` throws: then it is gone again.
template <class Open>
EndpointState& WorkerState::openNew(Limit limit, const Open& open) {
  EndpointState& endpoint = endpoints.add(true);
  endpoint.connectWithin(limit.value_or(options.connect_timeout));
  try {
    open(endpoint);
  } catch (...) {
    endEndpoint(endpoint, UCS_ERR_NO_MEMORY);
    throw;
  }
  return endpoint;
}

}  // namespace ucxx::core
