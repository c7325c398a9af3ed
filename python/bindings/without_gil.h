// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include "gil.h"

namespace ucxx::python {

/// Set when the interpreter begins to end: nothing is asked of an event loop any more.
inline std::atomic<bool> interpreter_ends{false};

/// Threads of Python that may want the GIL. With the GIL.
bool hasOtherThreads() noexcept;

/// Once, when the extension is loaded: the core tells when a call waits for another thread, which
/// may be one of Python.
void waitWithoutGil() noexcept;

}  // namespace ucxx::python
