// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "seconds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ucxx::python {

std::chrono::milliseconds millisecondsOf(const char* name, nb::handle value) {
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

std::chrono::milliseconds limitOf(const char* name, nb::handle value) {
  if (value.is_none()) return {};
  const auto limit = millisecondsOf(name, value);
  if (limit.count() != 0) return limit;
  PyErr_Format(PyExc_ValueError,
               "%s must be a number of seconds from 0.001 to 1e9, or None for no limit, not %R",
               name, value.ptr());
  throw nb::python_error();
}

bool readDeadline(PyObject* timeout, std::chrono::steady_clock::time_point& deadline) {
  constexpr double kFarAway = 1e9;
  if (timeout == nullptr || timeout == Py_None) return true;
  const double seconds = PyFloat_AsDouble(timeout);
  if (seconds == -1.0 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) != 0)
      PyErr_Format(PyExc_TypeError, "timeout must be a number of seconds or None, not %s",
                   Py_TYPE(timeout)->tp_name);
    return false;
  }
  if (std::isnan(seconds)) {
    PyErr_SetString(PyExc_ValueError, "timeout must be a number of seconds or None, not nan");
    return false;
  }
  const auto now = std::chrono::steady_clock::now();
  if (seconds < kFarAway)
    deadline =
        now + std::chrono::nanoseconds(static_cast<std::int64_t>(std::max(seconds, 0.0) * 1e9));
  return true;
}

}  // namespace ucxx::python
