// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include <ucs/type/status.h>

#include "core/request/operation.h"

// How operations end before they have done what they were posted for. Callbacks run inside: they
// may end other operations, and post some.

namespace ucxx::core {

class EndpointCore;

/// Takes `op` out of wherever it waits; false when it does not wait (any more).
bool withdrawOperation(Operation& op) noexcept;
/// Ends `op` with CANCELED if nobody but this loop has its buffer, or can get it; else it ends by
/// itself, and counts as being cancelled.
void cancelOperation(Operation& op) noexcept;
/// Ends `op` with `status` if it can be ended now, or its receiver has not begun to take it, or can
/// be asked whether it has. False: it has not ended.
bool endOrRecall(Operation& op, ucs_status_t status) noexcept;
/// Ends what can be ended at once among these operations, without their peers.
void endPending(PendingList& pending, ucs_status_t status) noexcept;
/// Ends what can be ended at once among these operations; returns how many were cancelled. Peers
/// are asked to drop sends that only they can tell of.
std::size_t cancelPending(PendingList& pending, ucs_status_t status) noexcept;
/// Ends what can be ended at once among all operations of an endpoint.
std::size_t cancelPending(EndpointCore& endpoint, ucs_status_t status) noexcept;

}  // namespace ucxx::core
