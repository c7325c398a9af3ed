// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/request/buffer_checks.h"

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/cuda_driver.h"
#include "core/channel/channels.h"
#include "core/request/device_memory.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "ucp/library.h"

namespace ucxx::core {

void requireBytes(const void* buffer, std::size_t length, OperationKind kind) {
  if (buffer == nullptr && length != 0)
    throw std::runtime_error(fmt::format("{}: null buffer with length {}", toString(kind), length));
}

void requireOpen(const EndpointCore& state, OperationKind kind) {
  const EndpointPhase phase = state.phase.load(std::memory_order_relaxed);
  if (phase == EndpointPhase::Closing || phase == EndpointPhase::Closed)
    throw Error(fmt::format("{}: the endpoint is closed", toString(kind)), UCS_ERR_NOT_CONNECTED);
}

namespace {

constexpr auto kTooOld = base::cuda::Presence::TooOld;

/// Why nothing carries a buffer of a device's memory over this endpoint, and what would; empty: UCX
/// does. Of memory that its caller says is a device's where no driver is.
std::string whyNotCarried(const EndpointCore& state) {
  if (!ucp::mayHaveCuda()) return {};
  if (base::cuda::presence() == kTooOld) return base::cuda::whyNoDriver();
  // Where the peer may be on this machine, the link tells whether it is.
  if (state.own_pair || channelsOf(state.loop).hub() != nullptr ||
      channelsOf(state.loop).reachesDevices())
    return {};
  return "this UCX does not reach it: it needs its CUDA modules, and cuda_copy among its "
         "transports (UCX_TLS)";
}

void requireReach(const EndpointCore& state, const void* buffer, OperationKind kind) {
  const std::string why = whyNotCarried(state);
  if (!why.empty())
    throw UnsupportedError(fmt::format("{}: the buffer {} is in the memory of a device; {}",
                                       toString(kind), buffer, why));
}

}  // namespace

namespace {

std::size_t lengthOf(const std::vector<ucp_dt_iov_t>& iov, OperationKind kind) {
  if (iov.empty()) throw std::runtime_error(fmt::format("{}: no blocks", toString(kind)));
  std::size_t length = 0;
  for (const ucp_dt_iov_t& block : iov) {
    requireBytes(block.buffer, block.length, kind);
    if (__builtin_add_overflow(length, block.length, &length))
      throw std::runtime_error(
          fmt::format("{}: the blocks have more than 2^64 bytes", toString(kind)));
  }
  return length;
}

}  // namespace

std::size_t requireBlocks(const std::vector<ucp_dt_iov_t>& iov, OperationKind kind) {
  const std::size_t length = lengthOf(iov, kind);
  if (kind != OperationKind::AmSend)
    for (const ucp_dt_iov_t& block : iov) requireHostMemory(block.buffer, kind);
  return length;
}

bool isIntoDevice(const void* buffer, OperationKind kind, bool starts_later) {
  if (!isDeviceMemory(buffer)) return false;
  if (starts_later)
    throw UnsupportedError(fmt::format(
        "{}: the buffer {} is in the memory of a device; with a condition host memory is needed",
        toString(kind), buffer));
  const std::string lack = base::cuda::whyNoDriver();
  if (!lack.empty())
    throw UnsupportedError(fmt::format("{}: the buffer {} is in the memory of a device; {}",
                                       toString(kind), buffer, lack));
  return true;
}

Blocks requireReceivable(std::vector<ucp_dt_iov_t>&& iov, bool starts_later) {
  constexpr OperationKind kKind = OperationKind::ScatterRecv;
  Blocks blocks;
  blocks.length = lengthOf(iov, kKind);
  for (std::size_t i = 0; i < iov.size(); ++i) {
    if (!isIntoDevice(iov[i].buffer, kKind, starts_later)) continue;
    blocks.on_device.resize(iov.size());
    blocks.on_device[i] = true;
  }
  blocks.iov = std::move(iov);
  return blocks;
}

bool isFromDevice(const EndpointCore& state, const void* buffer, OperationKind kind) {
  if (!isDeviceMemory(buffer)) return false;
  requireReach(state, buffer, kind);
  return true;
}

bool isSaidOnDevice(ucs_memory_type_t type) noexcept {
  return type != UCS_MEMORY_TYPE_HOST && ucp::mayHaveCuda();
}

void requireReachAsSaid(const EndpointCore& state, const void* buffer, bool on_device,
                        OperationKind kind) {
  if (on_device) return requireReach(state, buffer, kind);
  if (isDeviceMemory(buffer))
    throw UnsupportedError(fmt::format(
        "{}: the buffer {} is in the memory of a device, and its caller says that it is "
        "the host's: say UCS_MEMORY_TYPE_CUDA, or isCUDA",
        toString(kind), buffer));
}

}  // namespace ucxx::core
