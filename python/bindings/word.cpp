// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "word.h"

namespace ucxx::python {
namespace {

bool readInt(PyObject* value, const char* what, std::uint64_t& word) {
  word = PyLong_AsUnsignedLongLong(value);
  if (word != ~std::uint64_t{0} || PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  PyErr_Format(PyExc_ValueError, "%s must be an int from 0 to 2**64 - 1, not %R", what, value);
  return false;
}

}  // namespace

bool readWord(PyObject* value, const char* what, std::uint64_t& word) {
  if (PyLong_Check(value)) return readInt(value, what, word);
  if (!PyIndex_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s must be an int from 0 to 2**64 - 1, not %s", what,
                 Py_TYPE(value)->tp_name);
    return false;
  }
  PyObject* const number = PyNumber_Index(value);
  const bool is_read = number != nullptr && readInt(number, what, word);
  Py_XDECREF(number);
  return is_read;
}

std::uint64_t wordOf(nb::handle value, const char* what) {
  std::uint64_t word = 0;
  if (!readWord(value.ptr(), what, word)) throw nb::python_error();
  return word;
}

bool flagOf(const char* name, nb::handle value) {
  if (PyBool_Check(value.ptr()) != 0) return value.is(Py_True);
  PyErr_Format(PyExc_TypeError, "%s must be True or False, not %s", name,
               Py_TYPE(value.ptr())->tp_name);
  throw nb::python_error();
}

void refuseType(nb::handle value, const char* rule) {
  PyErr_Format(PyExc_TypeError, "%s, not %s", rule, Py_TYPE(value.ptr())->tp_name);
  throw nb::python_error();
}

}  // namespace ucxx::python
