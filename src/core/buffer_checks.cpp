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
