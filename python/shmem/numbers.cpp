// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "numbers.h"

namespace ucxx::python::shmem {
namespace {

bool isRealType(int type) noexcept {
  return (PyTypeNum_ISNUMBER(type) || PyTypeNum_ISBOOL(type)) && !PyTypeNum_ISCOMPLEX(type);
}

/// np.float64 is a Python float, too, of which shmem4py makes no integer either.
bool isRealScalar(PyObject* value) noexcept {
  return (PyArray_IsScalar(value, Integer) || PyArray_IsScalar(value, Floating) ||
          PyArray_IsScalar(value, Bool)) &&
         !PyFloat_Check(value);
}

/// Read by NumPy, so that no code of a class of the program's runs.
Ref numberIn(PyObject* value) {
  if (!PyArray_Check(value)) {
    if (!isRealScalar(value)) return {};
    Py_INCREF(value);
    return Ref(value);
  }
  auto* const array = reinterpret_cast<PyArrayObject*>(value);
  if (PyArray_SIZE(array) != 1 || !isRealType(PyArray_TYPE(array))) return {};
  return Ref(PyArray_GETITEM(array, PyArray_BYTES(array)));
}

}  // namespace

Ref integerFrom(PyObject* value) {
  const Ref number = numberIn(value);
  return Ref(number.get() == nullptr ? nullptr : PyNumber_Long(number.get()));
}
Ref realFrom(PyObject* value) {
  const Ref number = numberIn(value);
  return Ref(number.get() == nullptr ? nullptr : PyNumber_Float(number.get()));
}

}  // namespace ucxx::python::shmem
