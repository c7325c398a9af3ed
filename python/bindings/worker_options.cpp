// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "worker_options.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace ucxx::python {
namespace {

using std::chrono::milliseconds;

struct Bytes {
  std::size_t WorkerOptions::*field;
  std::uint64_t least, most;
};
struct Count {
  std::uint32_t WorkerOptions::*field;
};
struct Seconds {
  milliseconds WorkerOptions::*field;
  milliseconds least;
};
struct Option {
  const char* name;
  std::variant<Bytes, Count, Seconds> kind;
};

constexpr std::uint64_t kMostBytes = INT64_MAX;
constexpr std::uint64_t kMostCounted = UINT32_MAX;
constexpr double kMostSeconds = 1e9;

/// Names and order are those of `ucxx.types.WorkerOptions`.
constexpr Option kOptions[] = {
    {"unexpected_bytes", Bytes{&WorkerOptions::unexpected_bytes, 1, kMostBytes}},
    {"fetch_ahead_bytes", Bytes{&WorkerOptions::fetch_ahead_bytes, 0, kMostBytes}},
    {"announcements", Count{&WorkerOptions::announcements}},
    {"multi_frames", Bytes{&WorkerOptions::multi_frames, 1, kMostCounted}},
    {"multi_bytes", Bytes{&WorkerOptions::multi_bytes, 1, kMostBytes}},
    {"connect_timeout", Seconds{&WorkerOptions::connect_timeout, milliseconds(1)}},
    {"close_timeout", Seconds{&WorkerOptions::close_timeout, milliseconds(0)}},
    {"stall_report", Seconds{&WorkerOptions::stall_report, milliseconds(0)}},
};

[[noreturn]] void refuse(PyObject* error, const char* name, const std::string& rule,
                         nb::handle value) {
  PyErr_Format(error, "%s must be %s, or None, not %R", name, rule.c_str(), value.ptr());
  throw nb::python_error();
}

std::uint64_t intFrom(const char* name, nb::handle value, std::uint64_t least, std::uint64_t most) {
  const std::string rule = "an int from " + std::to_string(least) + " to " + std::to_string(most);
  if (PyIndex_Check(value.ptr()) == 0) refuse(PyExc_TypeError, name, rule, value);
  const auto number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  const std::uint64_t result = PyLong_AsUnsignedLongLong(number.ptr());
  const bool is_too_large = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  if (is_too_large || result < least || result > most) refuse(PyExc_ValueError, name, rule, value);
  return result;
}

milliseconds secondsFrom(const char* name, nb::handle value, milliseconds least) {
  const std::string rule = least.count() == 0 ? "a number of seconds from 0 to 1e9"
                                              : "a number of seconds above 0, to 1e9";
  if (PyNumber_Check(value.ptr()) == 0) refuse(PyExc_TypeError, name, rule, value);
  const double seconds = PyFloat_AsDouble(value.ptr());
  const bool is_none = PyErr_Occurred() != nullptr;
  if (is_none && PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();  // Ctrl-C
  PyErr_Clear();
  if (is_none || !(seconds >= 0 && seconds <= kMostSeconds))
    refuse(PyExc_ValueError, name, rule, value);
  const milliseconds result(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
  if (result < least) refuse(PyExc_ValueError, name, rule, value);
  return result;
}

void set(WorkerOptions& options, const Option& option, nb::handle value) {
  if (const auto* bytes = std::get_if<Bytes>(&option.kind))
    options.*(bytes->field) = intFrom(option.name, value, bytes->least, bytes->most);
  else if (const auto* count = std::get_if<Count>(&option.kind))
    options.*(count->field) =
        static_cast<std::uint32_t>(intFrom(option.name, value, 1, kMostCounted));
  else if (const auto* seconds = std::get_if<Seconds>(&option.kind))
    options.*(seconds->field) = secondsFrom(option.name, value, seconds->least);
}

const Option& optionOf(nb::handle name) {
  for (const Option& option : kOptions)
    if (PyUnicode_CompareWithASCIIString(name.ptr(), option.name) == 0) return option;
  std::string names;
  for (const Option& option : kOptions)
    names += (names.empty() ? "" : ", ") + std::string(option.name);
  PyErr_Format(PyExc_TypeError, "there is no argument or worker option %R; the options are %s",
               name.ptr(), names.c_str());
  throw nb::python_error();
}

}  // namespace

WorkerOptions workerOptionsFrom(const nb::dict& given) {
  WorkerOptions options;
  for (const auto [name, value] : given) {
    const Option& option = optionOf(name);
    if (!value.is_none()) set(options, option, value);
  }
  return options;
}

void bindWorkerOptions(nb::module_& module) {
  module.def(
      "_check_worker_options", [](const nb::dict& given) { (void)workerOptionsFrom(given); },
      "given"_a, nb::sig("def _check_worker_options(given: ucxx.types.WorkerOptions) -> None"));
}

}  // namespace ucxx::python
