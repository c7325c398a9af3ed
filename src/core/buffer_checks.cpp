// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/buffer_checks.h"

#include <stdexcept>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "core/loop.h"
#include "ucp/device_memory.h"

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

void requireUcxForDevices(const Loop& loop) {
  if (loop.isLocalOnly())
    throw UnsupportedError("UCXX_LOCAL=only: messages come from host memory, not a device's");
}

void requireReach(const EndpointState& state, const void* buffer) {
  if (state.own_pair && ucp::isDeviceMemory(buffer))
    throw UnsupportedError("messages to the own worker come from host memory, not a device's");
}

bool isFromDevice(const EndpointState& state, const void* buffer) {
  if (!ucp::isDeviceMemory(buffer)) return false;
  requireUcxForDevices(state.loop);
  requireReach(state, buffer);
  return true;
}

}  // namespace ucxx::core
