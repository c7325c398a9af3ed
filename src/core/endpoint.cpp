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

#include "base/log.h"
#include "base/status.h"
#include "core/buffer_checks.h"
#include "core/loop.h"
#include "core/transfers.h"
#include "ucp/library.h"

namespace ucxx {

using core::EndpointPhase;
using core::OperationKind;

namespace {

void requireOpen(const core::EndpointState& state, OperationKind kind) {
  const EndpointPhase phase = state.phase.load(std::memory_order_relaxed);
  if (phase == EndpointPhase::Closing || phase == EndpointPhase::Closed)
    throw Error(fmt::format("{}: the endpoint is closed", toString(kind)), UCS_ERR_NOT_CONNECTED);
}

/// Nanoseconds of so many attempts, at least one.
std::int64_t product(std::uint64_t period, std::uint64_t attempts) {
  std::int64_t result = 0;
  const bool overflows =
      __builtin_mul_overflow(period, std::max<std::uint64_t>(attempts, 1), &result);
  return overflows ? std::numeric_limits<std::int64_t>::max() : result;
}

}  // namespace

Endpoint::Endpoint(std::shared_ptr<Component> parent, std::shared_ptr<Worker> worker,
                   core::EndpointState& state)
    : Component(std::move(parent)), worker_(std::move(worker)), state_(&state) {}

std::shared_ptr<Endpoint> Endpoint::make(std::shared_ptr<Component> parent,
                                         core::EndpointState& state) {
  std::shared_ptr<Worker> worker = state.loop.user();
  std::shared_ptr<Endpoint> endpoint(new Endpoint(std::move(parent), worker, state));
  worker->loop().run([&] { state.user = endpoint; });
  return endpoint;
}

Endpoint::~Endpoint() {
  if (base::isForkedChild()) return;
  core::Loop& loop = worker_->loop();
  loop.execute([&loop, state = state_] { loop.releaseEndpoint(*state); });
}

/// A request of this endpoint; `Public` is what the caller of a builder gets.
template <class Public>
std::shared_ptr<Public> Endpoint::makeRequest(core::OperationKind kind,
                                              RequestCallbackUserFunction&& callback,
                                              RequestCallbackUserData&& data) {
  // Two threads may close at once: the second one's request ends with the first's.
  if (kind != OperationKind::Close) requireOpen(*state_, kind);
  auto request =
      core::makeRequest<Public>(shared_from_this(), kind, std::move(callback), std::move(data));
  request->operation().endpoint = state_;
  return request;
}

template std::shared_ptr<RequestMem> Endpoint::makeRequest(core::OperationKind,
                                                           RequestCallbackUserFunction&&,
                                                           RequestCallbackUserData&&);

ucp_ep_h Endpoint::getHandle() const noexcept {
  const EndpointPhase phase = state_->phase.load(std::memory_order_relaxed);
  return phase == EndpointPhase::Closed ? nullptr : state_->handle();
}

ucp_ep_h Endpoint::nativeHandle() const {
  ucp_ep_h handle = nullptr;
  worker_->loop().run([&] {
    if (state_->link != nullptr && state_->link->ucp != nullptr)
      handle = state_->link->ucp->handle();
  });
  return handle;
}

bool Endpoint::isAlive() const noexcept {
  if (!state_->error_handling) return true;
  const EndpointPhase phase = state_->phase.load(std::memory_order_acquire);
  return phase == EndpointPhase::Connecting || phase == EndpointPhase::Open;
}

void Endpoint::raiseOnError() const {
  const ucs_status_t status = state_->error.load(std::memory_order_acquire);
  if (status == UCS_OK || !state_->error_handling) return;
  base::throwStatus(
      status, fmt::format("the endpoint failed: {}{}", ucp::statusText(status), state_->reason));
}

void Endpoint::setCloseCallback(EndpointCloseCallbackUserFunction callback,
                                EndpointCloseCallbackUserData data) {
  worker_->loop().run([&] {
    const bool clears = callback == nullptr && data == nullptr;
    if (!clears && data != nullptr && (state_->isOver() || state_->phase == EndpointPhase::Closing))
      throw std::runtime_error("a close callback cannot be set on an endpoint that closes");
    state_->close_callback = std::move(callback);
    state_->close_data = std::move(data);
    if (state_->isOver()) core::runCloseCallback(*state_);
  });
}

std::shared_ptr<Request> Endpoint::tagSend(const void* buffer, std::size_t length, Tag tag, bool,
                                           RequestCallbackUserFunction callback,
                                           RequestCallbackUserData data) {
  core::requireBytes(buffer, length, OperationKind::TagSend);
  const bool on_device = core::isFromDevice(*state_, buffer);
  if (callback == nullptr && !on_device) {
    requireOpen(*state_, OperationKind::TagSend);
    if (auto request = worker_->loop().sendAtOnce(*this, *state_, buffer, length, tag))
      return request;
  }
  auto request =
      makeRequest<RequestTag>(OperationKind::TagSend, std::move(callback), std::move(data));
  core::Operation& op = request->operation();
  op.buffer = const_cast<void*>(buffer);
  op.length = length;
  op.tag = tag;
  op.on_device = on_device;
  worker_->loop().submit(op);
  return request;
}

std::shared_ptr<Request> Endpoint::tagRecv(void* buffer, std::size_t length, Tag tag, TagMask mask,
                                           bool, RequestCallbackUserFunction callback,
                                           RequestCallbackUserData data) {
  core::requireBytes(buffer, length, OperationKind::TagRecv);
  core::requireHostMemory(buffer, OperationKind::TagRecv);
  auto request =
      makeRequest<RequestTag>(OperationKind::TagRecv, std::move(callback), std::move(data));
  core::Operation& op = request->operation();
  op.buffer = buffer;
  op.length = length;
  op.tag = tag;
  op.mask = mask;
  worker_->loop().submit(op);
  return request;
}

std::shared_ptr<Request> Endpoint::tagMultiSend(const std::vector<const void*>& buffers,
                                                const std::vector<std::size_t>& sizes,
                                                const std::vector<int>& is_cuda, Tag tag, bool) {
  if (buffers.size() != sizes.size() || buffers.size() != is_cuda.size())
    throw std::runtime_error(
        fmt::format("multi-buffer send: {} buffers, {} sizes and {} memory kinds; there must be as "
                    "many of each",
                    buffers.size(), sizes.size(), is_cuda.size()));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    core::requireBytes(buffers[i], sizes[i], OperationKind::MultiSend);
    core::requireReach(*state_, buffers[i]);
  }
  if (std::any_of(is_cuda.begin(), is_cuda.end(), [](int is) { return is != 0; }))
    core::requireUcxForDevices(worker_->loop());
  auto request = makeRequest<RequestTagMulti>(OperationKind::MultiSend);
  core::Operation& op = request->operation();
  auto extra = core::packFrames(buffers, sizes, is_cuda);
  op.buffer = extra->packed.get();
  op.length = extra->packed_bytes;
  request->_isFilled = true;
  op.extra = std::move(extra);
  op.tag = tag;
  worker_->loop().submit(op);
  return request;
}

std::shared_ptr<Request> Endpoint::tagMultiRecv(Tag tag, TagMask mask, bool) {
  auto request = makeRequest<RequestTagMulti>(OperationKind::MultiRecv);
  core::Operation& op = request->operation();
  op.tag = tag;
  op.mask = mask;
  worker_->loop().submit(op);
  return request;
}

/// What an active message says of itself, of which `op` is the send; throws when it does not fit
/// into UCX's header.
std::unique_ptr<core::AmSendExtra> Endpoint::amExtra(const AmSendParams& params,
                                                     core::Operation& op) const {
  if (params.memoryType < UCS_MEMORY_TYPE_HOST || params.memoryType >= UCS_MEMORY_TYPE_LAST)
    throw std::runtime_error(fmt::format("active-message send: {} is no memory type",
                                         static_cast<int>(params.memoryType)));
  if (params.memoryType != UCS_MEMORY_TYPE_HOST) core::requireUcxForDevices(worker_->loop());
  if (params.memoryTypePolicy != AmSendMemoryTypePolicy::FallbackToHost &&
      params.memoryTypePolicy != AmSendMemoryTypePolicy::ErrorOnUnsupported)
    throw std::runtime_error(fmt::format("active-message send: {} is no memory-type policy",
                                         static_cast<int>(params.memoryTypePolicy)));
  op.on_device = params.memoryType != UCS_MEMORY_TYPE_HOST;
  auto extra = std::make_unique<core::AmSendExtra>();
  const auto* header = reinterpret_cast<const char*>(params.userHeader.data());
  extra->prologue = {params.memoryType, params.memoryTypePolicy, params.receiverCallbackInfo,
                     std::string(header, params.userHeader.size())};
  const std::size_t room = worker_->loop().maxHeaderBytes() - core::kAmHeaderOverhead;
  if (params.userHeader.size() > room)
    throw std::runtime_error(
        fmt::format("the user header of an active message has {} bytes, at most {} fit",
                    params.userHeader.size(), room));
  return extra;
}

std::shared_ptr<Request> Endpoint::amSend(const void* buffer, std::size_t length,
                                          ucs_memory_type_t memory_type,
                                          std::optional<AmReceiverCallbackInfo> receiver_callback,
                                          bool future, RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  AmSendParams params;
  params.memoryType = memory_type;
  params.receiverCallbackInfo = receiver_callback;
  return amSend(buffer, length, params, future, std::move(callback), std::move(data));
}

std::shared_ptr<Request> Endpoint::amSend(const void* buffer, std::size_t length,
                                          const AmSendParams& params, bool,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  core::requireBytes(buffer, length, OperationKind::AmSend);
  core::requireReach(*state_, buffer);
  if (params.datatype != ucp_dt_make_contig(1))
    throw std::runtime_error(
        "active-message send: one buffer needs the datatype ucp_dt_make_contig(1)");
  auto request =
      makeRequest<RequestAm>(OperationKind::AmSend, std::move(callback), std::move(data));
  core::Operation& op = request->operation();
  op.buffer = const_cast<void*>(buffer);
  op.length = length;
  op.extra = amExtra(params, op);
  worker_->loop().submit(op);
  return request;
}

std::shared_ptr<Request> Endpoint::amSend(std::vector<ucp_dt_iov_t> iov, const AmSendParams& params,
                                          bool, RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  if (params.datatype != UCP_DATATYPE_IOV)
    throw std::runtime_error(
        "active-message send: several segments need the datatype UCP_DATATYPE_IOV");
  if (iov.empty()) throw std::runtime_error("active-message send: no segments");
  std::size_t length = 0;
  for (const ucp_dt_iov_t& piece : iov) {
    core::requireBytes(piece.buffer, piece.length, OperationKind::AmSend);
    core::requireReach(*state_, piece.buffer);
    length += piece.length;
  }
  auto request =
      makeRequest<RequestAm>(OperationKind::AmSend, std::move(callback), std::move(data));
  core::Operation& op = request->operation();
  auto extra = amExtra(params, op);
  extra->iov = std::move(iov);
  op.length = length;
  op.extra = std::move(extra);
  worker_->loop().submit(op);
  return request;
}

std::shared_ptr<Request> Endpoint::amRecv(bool, RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  auto request =
      makeRequest<RequestAm>(OperationKind::AmRecv, std::move(callback), std::move(data));
  worker_->loop().submit(request->operation());
  return request;
}

std::shared_ptr<Request> Endpoint::streamSend(const void* buffer, std::size_t length, bool) {
  return startStream(OperationKind::StreamSend, const_cast<void*>(buffer), length);
}

std::shared_ptr<Request> Endpoint::streamRecv(void* buffer, std::size_t length, bool) {
  return startStream(OperationKind::StreamRecv, buffer, length);
}

std::shared_ptr<Request> Endpoint::startStream(core::OperationKind kind, void* buffer,
                                               std::size_t length) {
  if (buffer == nullptr || length == 0)
    throw std::runtime_error(fmt::format("{}: {} bytes at {}; a stream moves at least one byte",
                                         toString(kind), length, buffer));
  const bool sends = kind == OperationKind::StreamSend;
  const bool on_device = sends && core::isFromDevice(*state_, buffer);
  if (!sends) core::requireHostMemory(buffer, kind);
  auto request = makeRequest<RequestStream>(kind);
  core::Operation& op = request->operation();
  op.buffer = buffer;
  op.length = length;
  op.on_device = on_device;
  worker_->loop().submit(op);
  return request;
}

std::shared_ptr<Request> Endpoint::flush(bool, RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  auto request =
      makeRequest<RequestFlush>(OperationKind::Flush, std::move(callback), std::move(data));
  worker_->loop().submit(request->operation());
  return request;
}

std::shared_ptr<Request> Endpoint::close(bool, RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  if (state_->isOver() || state_->phase == EndpointPhase::Closing) return nullptr;
  auto request =
      makeRequest<RequestEndpointClose>(OperationKind::Close, std::move(callback), std::move(data));
  worker_->loop().submit(request->operation());
  return request;
}

void Endpoint::closeBlocking(std::uint64_t period, std::uint64_t max_attempts) {
  try {
    core::Loop& loop = worker_->loop();
    cancelInflightRequests();
    loop.run([&] { core::closeIfIdle(*state_); });
    const std::shared_ptr<Request> request = close();
    if (request == nullptr) return;
    const auto limit = period == 0 ? std::chrono::nanoseconds(loop.options.close_timeout)
                                   : std::chrono::nanoseconds(product(period, max_attempts));
    if (request->wait(limit)) return;
    loop.run([&] { core::closeNow(*state_); });
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "endpoint", "cannot close: {}", error.what());
  }
}

std::size_t Endpoint::cancelInflightRequests() {
  std::size_t cancelled = 0;
  worker_->loop().run([&] { cancelled = core::cancelPending(*state_, UCS_ERR_CANCELED); });
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
  worker_->loop().run([&] {
    if (const auto ends = core::socketEnds(*state_))
      text = (local ? ends->local : ends->peer).toString();
  });
  return text;
}

std::vector<TransportInfo> Endpoint::getTransports() const {
  std::vector<TransportInfo> result;
  worker_->loop().run([&] {
    if (state_->link == nullptr) return;
    if (state_->link->channel == core::ChannelKind::Self) result.push_back({"self", "memory"});
    if (state_->link->channel == core::ChannelKind::Local) result.push_back({"local", "memory"});
    if (state_->link->ucp == nullptr) return;
    for (auto& [transport, device] : state_->link->ucp->transports())
      result.push_back({transport, device});
  });
  return result;
}

}  // namespace ucxx
