// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "seconds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ucxx::python {

namespace {

/// `wanted` are its words: from how much to how much. Less than `least` is refused.
std::chrono::milliseconds readSeconds(const char* name, nb::handle value,
                                      std::chrono::milliseconds least, const char* wanted) {
  constexpr double kMost = 1e9;
  // Text is no number, nor is None; True is one of Python's, and a mistake here.
  const bool is_number = PyNumber_Check(value.ptr()) != 0 && PyBool_Check(value.ptr()) == 0;
  const double seconds = is_number ? PyFloat_AsDouble(value.ptr()) : -1;
  PyErr_Clear();
  if (seconds >= 0 && seconds <= kMost) {
    const std::chrono::milliseconds given(static_cast<std::int64_t>(seconds * 1000));
    if (given >= least) return given;
  }
  PyErr_Format(is_number ? PyExc_ValueError : PyExc_TypeError,
               "%s must be a number of seconds %s, not %R", name, wanted, value.ptr());
  throw nb::python_error();
}

}  // namespace

std::chrono::milliseconds millisecondsOf(const char* name, nb::handle value) {
  return readSeconds(name, value, std::chrono::milliseconds(0), "from 0 to 1e9");
}

std::chrono::milliseconds limitOf(const char* name, nb::handle value) {
  if (value.is_none()) return {};
  return readSeconds(name, value, std::chrono::milliseconds(1),
                     "from 0.001 to 1e9, or None for no limit");
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
