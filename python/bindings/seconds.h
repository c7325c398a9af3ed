// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>

#include "python.h"

namespace ucxx::python {

/// A limit that Python gives in seconds. Throws TypeError or ValueError, with its name.
inline std::chrono::milliseconds millisecondsOf(const char* name, nb::handle value) {
  constexpr double kMost = 1e9;
  const bool is_number = PyNumber_Check(value.ptr()) != 0;  // text is none, nor is None
  const double seconds = is_number ? PyFloat_AsDouble(value.ptr()) : -1;
  PyErr_Clear();
  if (!(seconds >= 0 && seconds <= kMost)) {
    PyErr_Format(is_number ? PyExc_ValueError : PyExc_TypeError,
                 "%s must be a number of seconds from 0 to 1e9, not %R", name, value.ptr());
    throw nb::python_error();
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

}  // namespace ucxx::python
