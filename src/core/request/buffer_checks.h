// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <vector>

#include "core/request/operation_kind.h"

// What a program gives to be sent or received into, looked at before anything is posted: each
// throws what is wrong.

namespace ucxx::core {

class EndpointCore;

/// `Error` once the endpoint closes.
void requireOpen(const EndpointCore& state, OperationKind kind);

void requireBytes(const void* buffer, std::size_t length, OperationKind kind);

/// The blocks of one message that is sent, of the host's memory unless it is active; returns their
/// length.
std::size_t requireBlocks(const std::vector<ucp_dt_iov_t>& iov, OperationKind kind);

/// The blocks of a tag receive.
struct Blocks {
  std::vector<ucp_dt_iov_t> iov;
  std::vector<bool> on_device;  // of each; empty: all are the host's
  std::size_t length = 0;       // of all
};
/// `starts_later`: by a condition, which needs host memory.
Blocks requireReceivable(std::vector<ucp_dt_iov_t>&& iov, bool starts_later);

/// A receive into `buffer`; true: it is in memory of a device, which the driver can be asked to
/// copy to. `starts_later`: as above.
bool isIntoDevice(const void* buffer, OperationKind kind, bool starts_later = false);

// From the memory of a device to another worker only UCX sends, if it knows CUDA, and it is not
// there with `UCXX_LOCAL=only`. To the own worker the loop copies it.

/// A send that says nothing of the memory of its buffer; true: that of a device.
bool isFromDevice(const EndpointCore& state, const void* buffer, OperationKind kind);

/// A send that does say it. Where there is no driver, all memory is the host's all the same.
bool isSaidOnDevice(ucs_memory_type_t type) noexcept;
void requireReachAsSaid(const EndpointCore& state, const void* buffer, bool on_device,
                        OperationKind kind);

}  // namespace ucxx::core
