// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <vector>

#include "core/operation.h"

// What a program gives to be sent, looked at before anything is posted: each throws what is wrong.
// That receives need host memory is in operation.h.

namespace ucxx::core {

class EndpointState;
class Loop;

/// `Error` once the endpoint closes.
void requireOpen(const EndpointState& state, OperationKind kind);

void requireBytes(const void* buffer, std::size_t length, OperationKind kind);

/// The blocks of one message, of the host's memory unless it is active; returns their length.
std::size_t requireBlocks(const std::vector<ucp_dt_iov_t>& iov, OperationKind kind);

/// Only UCX reaches the memory of a device, which is not there with `UCXX_LOCAL=only`.
void requireUcxForDevices(const Loop& loop);

/// The processor moves messages to the own worker.
void requireReach(const EndpointState& state, const void* buffer);

/// A send whose buffer says nothing of its memory; true: that of a device.
bool isFromDevice(const EndpointState& state, const void* buffer);

}  // namespace ucxx::core
