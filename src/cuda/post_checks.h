// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/request/operation.h"

namespace ucxx::core {
class Loop;
}

namespace ucxx::cuda {

/// Throws `InvalidParamError`: nobody would move the worker while a stream waits.
void requireMover(const core::Loop& loop, bool caller_progresses, const char* what);

/// Throws `InvalidParamError`: the buffer is in managed memory, which the processor may not touch
/// while a kernel runs, on some systems.
void refuseManaged(const core::Operation& op);
void refuseManaged(const void* buffer, const char* what);

}  // namespace ucxx::cuda
