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
/// A flag, which must be a bool. Throws a TypeError with its name.
bool flagOf(const char* name, nb::handle value);

/// Throws "`rule`, not `type of value`", a TypeError.
[[noreturn]] void refuseType(nb::handle value, const char* rule);

/// A pointer to what `value` is in C++, plain or shared, never null; else `refuseType`: the words
/// of nanobind are a list of all signatures.
template <class Pointer>
Pointer pointerOf(nb::handle value, const char* rule) {
  Pointer pointer{};
  if (!nb::try_cast(value, pointer) || pointer == nullptr) refuseType(value, rule);
  return pointer;
}

}  // namespace ucxx::python
