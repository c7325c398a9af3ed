// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "python.h"

namespace ucxx::python {

/// Fills `word` from an int, or whatever says that it is one (`__index__`, NumPy's among them).
/// False: a Python error that says what would be right; `what` names it, "a tag".
bool readWord(PyObject* value, const char* what, std::uint64_t& word);
/// The same, thrown.
std::uint64_t wordOf(nb::handle value, const char* what);

}  // namespace ucxx::python
