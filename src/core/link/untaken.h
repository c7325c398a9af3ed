// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <string>

#include <ucs/type/status.h>

#include "core/match/endpoint_state.h"
#include "core/request/operation.h"

// What was sent before a close and has not been taken: no close loses it in silence.

namespace ucxx::core {

class Loop;

/// What a close needs beside its operation.
struct CloseExtra final : OperationExtra {
  bool beginsCancelled() const noexcept override { return true; }
  std::chrono::milliseconds timeout{-1};  // negative: the worker's
  Untaken untaken;                        // when it has ended
};

inline CloseExtra& closeOf(Operation& op) noexcept { return static_cast<CloseExtra&>(*op.extra); }

/// Counts what `endpoint` still sends as lost: how it ends does not matter any more.
void countPending(EndpointState& endpoint) noexcept;
/// From now on every send of `endpoint` that fails is counted.
void countAllLosses(EndpointState& endpoint) noexcept;
/// The endpoint has failed: a close that waits takes back what nobody takes any more.
void endOfFailed(EndpointState& endpoint) noexcept;
/// A close of one that is over: it only tells what was lost.
void closeAfterEnd(EndpointState& endpoint) noexcept;
/// Ends the pending closes of an endpoint that is over, with the number of sends that have not been
/// taken. `waits`: not before the last send has ended.
void finishClose(EndpointState& endpoint, bool waits) noexcept;
/// Who has dropped it hears by the log.
void warnOfLosses(EndpointState& endpoint) noexcept;
/// Warns of the losses of all endpoints, which nobody closes any more.
void warnOfLosses(Loop& loop) noexcept;
/// What the error of a close says of losses, and what can be done.
std::string lossesOf(Operation& close, ucs_status_t status);
/// "3 messages with 3000000 bytes in all".
std::string toString(const Untaken& untaken);

}  // namespace ucxx::core
