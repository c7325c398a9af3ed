// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/buffer_checks.h"

#include <stdexcept>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "core/loop.h"
#include "ucp/device_memory.h"
#include "ucp/library.h"

namespace ucxx::core {

void requireBytes(const void* buffer, std::size_t length, OperationKind kind) {
  if (buffer == nullptr && length != 0)
    throw std::runtime_error(fmt::format("{}: null buffer with length {}", toString(kind), length));
}

void requireOpen(const EndpointState& state, OperationKind kind) {
  const EndpointPhase phase = state.phase.load(std::memory_order_relaxed);
  if (phase == EndpointPhase::Closing || phase == EndpointPhase::Closed)
    throw Error(fmt::format("{}: the endpoint is closed", toString(kind)), UCS_ERR_NOT_CONNECTED);
}

namespace {

/// It comes from device memory, as its caller or the driver says.
void requireReach(const EndpointState& state, OperationKind kind) {
  if (state.loop.isLocalOnly())
    throw UnsupportedError("UCXX_LOCAL=only: messages come from host memory, not a device's");
  if (!ucp::mayHaveCuda()) return;  // then it is not a device's
  if (state.own_pair)
    throw UnsupportedError("messages to the own worker come from host memory, not a device's");
  if (!state.loop.reachesDevices())
    throw UnsupportedError(fmt::format(
        "{}: the buffer is in the memory of a device, which this UCX does not reach: it needs its "
        "CUDA modules, and cuda_copy among its transports (UCX_TLS)",
        toString(kind)));
}

}  // namespace

std::size_t requireBlocks(const std::vector<ucp_dt_iov_t>& iov, OperationKind kind) {
  if (iov.empty()) throw std::runtime_error(fmt::format("{}: no blocks", toString(kind)));
  std::size_t length = 0;
  for (const ucp_dt_iov_t& block : iov) {
    requireBytes(block.buffer, block.length, kind);
    if (kind != OperationKind::AmSend) requireHostMemory(block.buffer, kind);
    if (__builtin_add_overflow(length, block.length, &length))
      throw std::runtime_error(
          fmt::format("{}: the blocks have more than 2^64 bytes", toString(kind)));
  }
  return length;
}

bool isFromDevice(const EndpointState& state, const void* buffer, OperationKind kind) {
  if (!ucp::isDeviceMemory(buffer)) return false;
  requireReach(state, kind);
  return true;
}

void requireReachAsSaid(const EndpointState& state, const void* buffer, bool on_device,
                        OperationKind kind) {
  if (on_device) return requireReach(state, kind);
  if (ucp::isDeviceMemory(buffer))
    throw UnsupportedError(
        fmt::format("{}: the buffer {} is in the memory of a device, and is said to be the host's",
                    toString(kind), buffer));
}

}  // namespace ucxx::core
