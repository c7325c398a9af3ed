// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "cuda/driver_calls.h"

namespace ucxx::cuda {

/// Where a word of a condition (core/condition/condition_words.h) is for the devices of `context`,
/// which is current on this thread. Page-locks all of them the first time, and asks once for each
/// context whether its device has what is needed. `what`: who wants it, for errors. Throws as
/// `cuda::attach`.
Address addressOf(const void* word, Context context, const char* what);

/// All that, for any context; for the one that is current on this thread, which is returned.
void attachTo(Context context, const char* what);
Context attachCurrent(const char* what);

/// Throws `IOError` where `context` was attached to, and the words are page-locked no more, as
/// after cudaDeviceReset: streams, and what the driver has given, may be gone with them, and some
/// of its functions crash that are given such a one. Asks the driver, for 40 ns.
void requireKept(Context context, const char* what);

/// How often the words were page-locked: once more after the context has gone that did it, if
/// another one attaches.
unsigned lockings();

}  // namespace ucxx::cuda
