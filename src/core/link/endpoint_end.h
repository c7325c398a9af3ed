// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include <ucs/type/status.h>

#include "core/match/endpoint_state.h"
#include "core/request/operation.h"

// How endpoints end, and what is pending on them.

namespace ucxx::core {

/// Ends the endpoint: with OK after `close`, else with what happened to the peer. Runs the close
/// callback, then ends what is pending. Does nothing the second time.
void endEndpoint(EndpointState& endpoint, ucs_status_t status) noexcept;

/// Ends the pending closes of an endpoint that is over, with the number of sends that have not been
/// taken. `waits`: not before the last send has ended.
void finishClose(EndpointState& endpoint, bool waits) noexcept;

/// Tells of its end whoever wants to know.
void runCloseCallback(EndpointState& endpoint) noexcept;

/// @name Actions of sends and of accesses to memory of the peer (operation_actions.h)
/// @{
void startSend(Operation& op);
bool withdrawSend(Operation& op) noexcept;
/// Ends gets and atomics, and what of a put has not begun.
bool revokeAccess(Operation& op, ucs_status_t status) noexcept;
/// @}

/// Ends `op` with CANCELED if nobody but this loop has its buffer, or can get it; else it ends by
/// itself, and counts as being cancelled.
void cancelOperation(Operation& op) noexcept;
/// Ends `op` with `status` if it can be ended now, or its receiver has not begun to take it, or can
/// be asked whether it has. False: it has not ended.
bool endOrRecall(Operation& op, ucs_status_t status) noexcept;
/// Ends what can be ended at once among these operations; returns how many were cancelled.
std::size_t cancelPending(PendingList& pending, ucs_status_t status) noexcept;
/// Ends what can be ended at once among all operations of an endpoint.
std::size_t cancelPending(EndpointState& endpoint, ucs_status_t status) noexcept;

}  // namespace ucxx::core
