// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucs/type/status.h>

namespace ucxx::core {

class EndpointState;
struct Operation;

/// @name The actions of flushes and closes (operation_actions.h)
/// @{
void startFlush(Operation& op);
bool withdrawFlush(Operation& op) noexcept;
bool revokeFlush(Operation& op, ucs_status_t status) noexcept;
void startClose(Operation& op);
/// What was sent before the close has gone, or never will.
void closeFlushed(Operation& op, ucs_status_t status) noexcept;
/// @}

/// A close of this endpoint waits for sends: the peer hears of it, if the link is up.
void sayClosing(EndpointState& endpoint);
/// The peer has said so.
void onClosing(EndpointState& endpoint);
/// A flush of the endpoint has begun, and not ended.
bool isFlushing(const EndpointState& endpoint) noexcept;
/// Closes without waiting for what the peer has not taken yet; it is told behind what was sent.
void closeNow(EndpointState& endpoint);
/// Closes if no send is pending.
void closeIfIdle(EndpointState& endpoint);

}  // namespace ucxx::core
