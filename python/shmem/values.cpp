// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "values.h"

#include <cstring>
#include <string>

#include "constants.h"

namespace ucxx::python::shmem {
void raiseNoNumber(const Arguments& given, const char* name, PyObject* value, const char* type,
                   PyObject* otherwise) {
  PyObject* const pending = PyErr_Occurred();
  const Ref kind(Py_NewRef(pending == nullptr ? otherwise : pending));
  PyErr_Clear();
  requireOneElement(given, name, value);
  raise(kind.get(), "%s: %s = %R: must be a number that %s holds", given.call(), name, value, type);
}

int slowChoice(const Arguments& given, int argument, std::span<const Named> names) {
  PyObject* const value = given.raw(argument);
  if (PyUnicode_Check(value)) {
    const Ref small(need(PyObject_CallMethod(value, "lower", nullptr)));
    for (const Named& one : names) {
      if (PyUnicode_CompareWithASCIIString(small.get(), one.name) == 0) return one.value;
    }
  } else if (PyIndex_Check(value)) {
    const long number = longOf(given, argument);
    for (const Named& one : names) {
      if (number == one.value) return one.value;
    }
  }
  std::string all;
  for (const Named& one : names) {
    if (!all.empty()) all += ", ";
    all += "'" + std::string(one.name) + "'";
  }
  raise(PyUnicode_Check(value) || PyIndex_Check(value) ? PyExc_ValueError : PyExc_TypeError,
        "%s: %s = %R: must be one of %s, or the constant for it", given.call(),
        given.nameOf(argument), value, all.c_str());
}

int comparisonOf(const Arguments& given, int argument) {
  static const Named comparisons[] = {
      {"==", constants.CMP_EQ}, {"!=", constants.CMP_NE}, {">", constants.CMP_GT},
      {"<=", constants.CMP_LE}, {"<", constants.CMP_LT},  {">=", constants.CMP_GE},
      {"eq", constants.CMP_EQ}, {"ne", constants.CMP_NE}, {"gt", constants.CMP_GT},
      {"le", constants.CMP_LE}, {"lt", constants.CMP_LT}, {"ge", constants.CMP_GE}};
  return choiceOf(given, argument, comparisons);
}

}  // namespace ucxx::python::shmem
