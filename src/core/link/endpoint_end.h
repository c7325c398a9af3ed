// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucs/type/status.h>

#include "core/match/endpoint_state.h"
#include "core/request/operation.h"

// How endpoints end, and the actions of what goes over their links.

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
/// Ends `op`, a send, if nobody has begun to take it. False: it has not ended; where only its
/// receiver can tell, that is asked.
bool recallSend(Operation& op, ucs_status_t status) noexcept;
/// Ends gets and atomics, and what of a put has not begun.
bool revokeAccess(Operation& op, ucs_status_t status) noexcept;
/// @}

}  // namespace ucxx::core
