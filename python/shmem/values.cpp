// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "values.h"

#include <cstring>
#include <string>

namespace ucxx::python::shmem {
namespace {

constexpr Named kComparisons[] = {{"==", SHMEM_CMP_EQ}, {"!=", SHMEM_CMP_NE}, {">", SHMEM_CMP_GT},
                                  {"<=", SHMEM_CMP_LE}, {"<", SHMEM_CMP_LT},  {">=", SHMEM_CMP_GE},
                                  {"eq", SHMEM_CMP_EQ}, {"ne", SHMEM_CMP_NE}, {"gt", SHMEM_CMP_GT},
                                  {"le", SHMEM_CMP_LE}, {"lt", SHMEM_CMP_LT}, {"ge", SHMEM_CMP_GE}};

}  // namespace

void raiseNoNumber(const Arguments& given, const char* name, PyObject* value, const char* type,
                   PyObject* otherwise) {
  PyObject* const pending = PyErr_Occurred();
  const Ref kind(Py_NewRef(pending == nullptr ? otherwise : pending));
  PyErr_Clear();
  requireOneElement(given, name, value);
  raise(kind.get(), "%s: %s = %R: must be a number that %s holds", given.call(), name, value, type);
}

int slowChoice(const Arguments& given, int argument, const Named* names, std::size_t count,
               int least, int most) {
  PyObject* const value = given.raw(argument);
  if (PyUnicode_Check(value)) {
    const Ref small(need(PyObject_CallMethod(value, "lower", nullptr)));
    for (std::size_t i = 0; i < count; ++i) {
      if (PyUnicode_CompareWithASCIIString(small.get(), names[i].name) == 0) return names[i].value;
    }
  } else if (PyIndex_Check(value)) {
    const long number = longOf(given, argument);
    if (number >= least && number <= most) return static_cast<int>(number);
  }
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    if (!all.empty()) all += ", ";
    all += "'" + std::string(names[i].name) + "'";
  }
  raise(PyUnicode_Check(value) || PyIndex_Check(value) ? PyExc_ValueError : PyExc_TypeError,
        "%s: %s = %R: must be one of %s, or the constant for it", given.call(),
        given.nameOf(argument), value, all.c_str());
}

int comparisonOf(const Arguments& given, int argument) {
  return choiceOf(given, argument, kComparisons, SHMEM_CMP_EQ, SHMEM_CMP_GE);
}

}  // namespace ucxx::python::shmem
