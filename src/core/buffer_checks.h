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

/// `Error` once the endpoint closes.
void requireOpen(const EndpointState& state, OperationKind kind);

void requireBytes(const void* buffer, std::size_t length, OperationKind kind);

/// The blocks of one message, of the host's memory unless it is active; returns their length.
std::size_t requireBlocks(const std::vector<ucp_dt_iov_t>& iov, OperationKind kind);

// From the memory of a device only UCX sends, if it knows CUDA, and it is not there with
// `UCXX_LOCAL=only`; what goes to the own worker is moved by the processor. An endpoint that was
// made by a listener's name shows only later that it leads there: then the request ends so.

/// A send that says nothing of the memory of its buffer; true: that of a device.
bool isFromDevice(const EndpointState& state, const void* buffer, OperationKind kind);

/// A send that does say it.
void requireReachAsSaid(const EndpointState& state, const void* buffer, bool on_device,
                        OperationKind kind);

}  // namespace ucxx::core
