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
/// A send or flush of the endpoint has ended: a flush or close may go on.
void resumeFlushes(EndpointState& endpoint);
/// Closes without waiting for what the peer has not taken yet; it is told behind what was sent.
void closeNow(EndpointState& endpoint);
/// Closes if no send is pending.
void closeIfIdle(EndpointState& endpoint);
/// Closes when a close has had its time: what is still in flight over UCX ends with the
/// connection, when nothing else needs that and nothing moves any more.
void closeByForce(EndpointState& endpoint);
/// Closes so, and takes back what nobody has taken.
void giveUp(EndpointState& endpoint);

}  // namespace ucxx::core
