// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include "cuda/driver/queue.h"

namespace stand_in {

/// A copy that does not hold up its caller: it is held, or fails, if a test asks for that
/// (stand_in.h).
Task asynchronous(Task copy);

}  // namespace stand_in
