// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucs/type/status.h>

#include "core/match/endpoint_state.h"

// How endpoints end.

namespace ucxx::core {

/// Ends the endpoint: with OK after `close`, else with what happened to the peer. Runs the close
/// callback, then ends what is pending. Does nothing the second time.
void endEndpoint(EndpointState& endpoint, ucs_status_t status) noexcept;

/// Tells of its end whoever wants to know.
void runCloseCallback(EndpointState& endpoint) noexcept;

}  // namespace ucxx::core
