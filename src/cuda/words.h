// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "cuda/driver_calls.h"

namespace ucxx::cuda {

/// Where a word of a condition (core/condition_words.h) is for the devices of `context`, which is
/// current on this thread. Page-locks all of them the first time, and asks once for each context
/// whether its device has what is needed. `what`: who wants it, for errors. Throws as
/// `cuda::attach`.
Address addressOf(const void* word, Context context, const char* what);

/// All that, for any context; for the one that is current on this thread, which is returned.
void attachTo(Context context, const char* what);
Context attachCurrent(const char* what);

}  // namespace ucxx::cuda
