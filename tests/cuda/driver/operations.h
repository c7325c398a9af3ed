// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Memory operations: writes of words and waits for them.

#pragma once

#include <vector>

#include "cuda/driver/queue.h"

namespace stand_in {

inline constexpr unsigned kMostInBatch = 255;

/// What the driver says of them before it enqueues any.
Result checkOperations(const MemoryOperation* operations, unsigned count);

/// What does them, in their order. They have been checked.
Task taskOf(const char* call, std::vector<MemoryOperation> operations);

}  // namespace stand_in
