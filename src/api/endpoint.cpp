// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/request_am.h>
#include <ucxx/request_endpoint_close.h>
#include <ucxx/request_flush.h>
#include <ucxx/request_mem.h>
#include <ucxx/request_stream.h>
#include <ucxx/request_tag.h>
#include <ucxx/request_tag_multi.h>
#include <ucxx/worker.h>

#include "api/endpoint_requests.h"
#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/log.h"
#include "base/spread.h"
#include "base/status.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/condition/posting.h"
#include "core/link/endpoint_end.h"
#include "core/link/flush_close.h"
#include "core/link/socket_ends.h"
#include "core/link/untaken.h"
#include "core/loop/loop.h"
#include "core/loop/posts.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/request/cancel.h"
#include "core/request/endpoint_core.h"
#include "core/request/handles.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/requests.h"
#include "door/door.h"
#include "ucp/library.h"
#include "ucp/worker.h"

namespace ucxx {

using core::EndpointPhase;
using core::OperationKind;

namespace {

/// Nanoseconds of so many attempts, at least one.
std::int64_t product(std::uint64_t period, std::uint64_t attempts) {
  std::int64_t result = 0;
  const bool overflows =
      __builtin_mul_overflow(period, std::max<std::uint64_t>(attempts, 1), &result);
  return overflows ? std::numeric_limits<std::int64_t>::max() : result;
}

/// The tag of what the caller of pair `id` sends, or of what the other end does.
std::uint64_t pairTag(const base::Id128& caller, std::uint64_t id, bool of_caller) noexcept {
  using base::spread;
  return spread(caller.high ^ spread(caller.low ^ spread(2 * id + (of_caller ? 1 : 0))));
}

}  // namespace

Endpoint::Endpoint(std::shared_ptr<Component> parent, std::shared_ptr<Worker> worker,
                   core::EndpointState& state)
    : Component(std::move(parent)), worker_(std::move(worker)), state_(&state) {}

std::shared_ptr<Endpoint> Endpoint::make(std::shared_ptr<Component> parent,
                                         core::EndpointState& state) {
  std::shared_ptr<Worker> worker = state.loop.user();
  std::unique_ptr<Endpoint> alone;
  try {
    alone.reset(new Endpoint(std::move(parent), worker, state));
  } catch (const std::bad_alloc&) {
    state.loop.posts.execute(state.release_post);
    throw;
  }
  std::shared_ptr<Endpoint> endpoint(std::move(alone));
  core::nameEndpoint(state.key, endpoint);
  worker->loop().posts.run([&] { state.user = endpoint; });
  return endpoint;
}

Endpoint::~Endpoint() {
  if (base::isForkedChild()) return;
  core::Loop& loop = worker_->loop();
  loop.posts.execute(state_->release_post);
}

ucp_ep_h Endpoint::getHandle() const noexcept {
  const EndpointPhase phase = state_->phase.load(std::memory_order_relaxed);
  return phase == EndpointPhase::Closed ? nullptr : state_->handle();
}

ucp_ep_h Endpoint::nativeHandle() const {
  ucp_ep_h handle = nullptr;
  worker_->loop().posts.run([&] {
    if (state_->inlet != nullptr && state_->inlet->ucp != nullptr)
      handle = state_->inlet->ucp->handle();
  });
  return handle;
}

bool Endpoint::isAlive() const noexcept {
  if (!state_->error_handling) return true;
  const EndpointPhase phase = state_->phase.load(std::memory_order_acquire);
  return phase == EndpointPhase::Connecting || phase == EndpointPhase::Open;
}

bool Endpoint::hasConnected() const noexcept {
  return state_->has_connected.load(std::memory_order_relaxed);
}

void Endpoint::raiseOnError() const {
  const ucs_status_t status = state_->error.load(std::memory_order_acquire);
  if (status == UCS_OK || !state_->error_handling) return;
  const bool is_late = state_->has_connected || state_->reason.empty();
  base::throwStatus(status, fmt::format("{}: {}{}", is_late ? "the endpoint failed" : "connect",
                                        ucp::statusText(status), state_->reason));
}

void Endpoint::setCloseCallback(EndpointCloseCallbackUserFunction callback,
                                EndpointCloseCallbackUserData data) {
  worker_->loop().posts.run([&] {
    const bool clears = callback == nullptr && data == nullptr;
    if (!clears && data != nullptr && (state_->isOver() || state_->phase == EndpointPhase::Closing))
      throw std::runtime_error("a close callback cannot be set on an endpoint that closes");
    state_->close_callback = std::move(callback);
    state_->close_data = std::move(data);
    if (state_->isOver()) core::runCloseCallback(*state_);
  });
}

void Endpoint::receiveAhead(std::size_t bytes) {
  worker_->loop().posts.run([&] { core::receiveAhead(*state_, bytes); });
}

std::shared_ptr<Request> Endpoint::flush(bool, RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  return postFlush({callback, data});
}

std::shared_ptr<Request> Endpoint::postFlush(const core::Posting& posting) {
  auto request = makeRequest<RequestFlush>(OperationKind::Flush, posting);
  posting.submit(worker_->loop(), request->operation());
  return request;
}

std::shared_ptr<Request> Endpoint::close(bool, RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  return startClose(std::chrono::milliseconds{-1}, std::move(callback), std::move(data));
}

std::shared_ptr<Request> Endpoint::close(std::chrono::milliseconds timeout,
                                         RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  if (timeout.count() < 0)
    throw InvalidParamError(
        fmt::format("close: a timeout of {} ms; 0 or more is needed", timeout.count()));
  return startClose(timeout, std::move(callback), std::move(data));
}

std::shared_ptr<Request> Endpoint::startClose(std::chrono::milliseconds timeout,
                                              RequestCallbackUserFunction&& callback,
                                              RequestCallbackUserData&& data) {
  const bool has_ended = state_->isOver() && !state_->owes_count.load(std::memory_order_acquire);
  if (has_ended || state_->phase == EndpointPhase::Closing) return nullptr;
  auto request =
      makeRequest<RequestEndpointClose>(OperationKind::Close, std::move(callback), std::move(data));
  auto wanted = std::make_unique<core::CloseExtra>();
  wanted->timeout = timeout;
  request->operation().extra = std::move(wanted);
  requestsOf(worker_->loop()).submit(request->operation());
  return request;
}

void Endpoint::closeBlocking(std::uint64_t period, std::uint64_t max_attempts) {
  try {
    core::Loop& loop = worker_->loop();
    loop.posts.run([&] {
      state_->counting = core::EndpointState::Counting::None;  // it drops them on purpose
      state_->revokes = true;
      core::cancelPending(*state_, UCS_ERR_CANCELED);
      core::closeIfIdle(*state_);
    });
    const std::shared_ptr<Request> request = close();
    if (request == nullptr) return;
    const auto limit = period == 0 ? std::chrono::nanoseconds(loop.options.close_timeout)
                                   : std::chrono::nanoseconds(product(period, max_attempts));
    if (request->wait(limit)) return;
    loop.posts.run([&] { state_->closeByForce(); });
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "endpoint", "cannot close: {}", error.what());
  }
}

std::size_t Endpoint::cancelInflightRequests() {
  std::size_t cancelled = 0;
  worker_->loop().posts.run([&] { cancelled = core::cancelPending(*state_, UCS_ERR_CANCELED); });
  return cancelled;
}

std::size_t Endpoint::cancelInflightRequestsBlocking(std::uint64_t, std::uint64_t) {
  return cancelInflightRequests();
}

std::size_t Endpoint::getCancelingSize() const {
  return state_->canceling.load(std::memory_order_relaxed);
}

std::string Endpoint::getLocalAddress() const { return doorAddress(true); }

std::string Endpoint::getPeerAddress() const { return doorAddress(false); }

std::string Endpoint::doorAddress(bool local) const {
  std::string text;
  worker_->loop().posts.run([&] {
    if (const auto ends = core::socketEnds(*state_))
      text = (local ? ends->local : ends->peer).toString();
  });
  return text;
}

std::vector<TransportInfo> Endpoint::getTransports() const {
  std::vector<TransportInfo> result;
  worker_->loop().posts.run([&] {
    if (state_->inlet == nullptr) return;
    if (state_->inlet->channel == core::ChannelKind::Self) result.push_back({"self", "memory"});
    if (state_->inlet->channel == core::ChannelKind::Local) result.push_back({"local", "memory"});
    if (state_->inlet->ucp == nullptr) return;
    for (auto& [transport, device] : state_->inlet->ucp->transports())
      result.push_back({transport, device});
  });
  return result;
}

PairTags Endpoint::getPairTags() const {
  PairTags tags{};
  worker_->loop().posts.run([&] {
    const core::EndpointState& state = *state_;
    const bool is_called = state.own_opened && (state.by_name || state.listener != 0);
    const bool is_accepted = !state.own_opened && state.inlet != nullptr;
    if (!is_called && !is_accepted)
      throw UnsupportedError(
          "an endpoint made from a worker's address has no tags of its own; or its pair has ended");
    const base::Id128 caller = state.own_opened ? worker_->loop().id() : state.inlet->peer;
    tags = {Tag{pairTag(caller, state.id, state.own_opened)},
            Tag{pairTag(caller, state.id, !state.own_opened)}};
  });
  return tags;
}

}  // namespace ucxx
