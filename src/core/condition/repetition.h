// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/request.h>

#include "core/request/operation.h"

namespace ucxx::core {

/// An operation that does once more what `armed` was posted for, for its loop to start; no user has
/// its request. `at_end` is told of its end. Throws `std::bad_alloc`.
Operation& makeRepetition(const Operation& armed, Continuation& at_end);

}  // namespace ucxx::core
