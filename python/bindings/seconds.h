// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>

#include "python.h"

namespace ucxx::python {

/// A limit that Python gives in seconds. Throws TypeError or ValueError, with its name.
std::chrono::milliseconds millisecondsOf(const char* name, nb::handle value);

/// The same of one that may be None for no limit, which is 0 in C++, and is none otherwise.
std::chrono::milliseconds limitOf(const char* name, nb::handle value);

/// Fills `deadline` from a timeout in seconds; null or None: it stays. False: a Python error that
/// says what would be right.
bool readDeadline(PyObject* timeout, std::chrono::steady_clock::time_point& deadline);

}  // namespace ucxx::python
