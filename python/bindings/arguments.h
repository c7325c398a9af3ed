// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>

#include "python.h"

namespace ucxx::python {

/// Whether `object`, of a class of nanobind's, has been made; false: a Python error is set.
inline bool isReady(PyObject* object) {
  if (nb::inst_ready(object)) return true;
  PyErr_Format(PyExc_TypeError, "%s.__init__() has not been called", Py_TYPE(object)->tp_name);
  return false;
}

/// As a table of methods has a function with more arguments than two.
template <class Function>
PyCFunction asMethod(Function function) noexcept {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

/// The parameters of a function that is called by vector (METH_FASTCALL | METH_KEYWORDS): names in
/// their order, of which the first `required` must be given. Fills `values`, which may have
/// defaults.
template <std::size_t N>
struct Signature {
  const char* function;
  std::array<const char*, N> names;
  std::size_t required;
  std::size_t positional = N;  // the others are given by name only

  /// Of a method of `self`, an object of a class of nanobind's. False: a Python error is set.
  bool read(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords,
            std::array<PyObject*, N>& values) const {
    return isReady(self) && read(arguments, count, keywords, values);
  }
  /// The same, of a method of a class of our own.
  bool read(PyObject* const* arguments, Py_ssize_t count, PyObject* keywords,
            std::array<PyObject*, N>& values) const {
    const auto given = static_cast<std::size_t>(count);
    if (given > positional) return tooMany(given);
    for (std::size_t i = 0; i < given; ++i) values[i] = arguments[i];
    const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    for (Py_ssize_t i = 0; i < named; ++i) {
      const std::size_t at = find(PyTuple_GET_ITEM(keywords, i));
      if (at == N) return unknown(PyTuple_GET_ITEM(keywords, i));
      values[at] = arguments[count + i];
    }
    for (std::size_t i = 0; i < required; ++i)
      if (values[i] == nullptr) return missing(names[i]);
    return true;
  }

 private:
  std::size_t find(PyObject* name) const noexcept {
    std::size_t at = 0;
    while (at < N && PyUnicode_CompareWithASCIIString(name, names[at]) != 0) ++at;
    return at;
  }
  bool tooMany(std::size_t given) const {
    PyErr_Format(PyExc_TypeError, "%s takes at most %zu arguments%s, got %zu", function, positional,
                 positional < N ? " by position" : "", given);
    return false;
  }
  bool unknown(PyObject* name) const {
    PyErr_Format(PyExc_TypeError, "%s got an unexpected keyword argument %R", function, name);
    return false;
  }
  bool missing(const char* name) const {
    PyErr_Format(PyExc_TypeError, "%s misses the argument '%s'", function, name);
    return false;
  }
};

}  // namespace ucxx::python
