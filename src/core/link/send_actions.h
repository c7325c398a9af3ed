// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include <ucs/type/status.h>

namespace ucxx::core {

class Link;
struct Operation;

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

/// Sends the large frames of `op`, a send of several buffers whose table has just gone.
void sendFrames(Link& link, Operation& op, std::uint32_t sequence);

}  // namespace ucxx::core
