// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "sequences.h"

#include "values.h"

namespace ucxx::python::shmem {
namespace {

/// Of an array its elements in C's order.
Ref flatItems(PyObject* array) {
  const Ref flat(need(PyArray_Ravel(reinterpret_cast<PyArrayObject*>(array), NPY_CORDER)));
  return Ref(PySequence_Tuple(flat.get()));
}

/// A tuple, since what makes numbers of the items may change the sequence. Null: there are no
/// items.
Ref itemsOf(PyObject* value, std::ptrdiff_t count) {
  if (PyArray_Check(value)) return flatItems(value);
  Ref items(PySequence_Tuple(value));
  if (items.get() != nullptr && PyTuple_GET_SIZE(items.get()) >= count) return items;
  PyErr_Clear();
  if (PySequence_Check(value) == 0 && !isReal(value)) return items;
  const Ref array(PyArray_FROM_O(value));  // of sequences in a sequence, or of a number
  if (array.get() != nullptr) return flatItems(array.get());
  PyErr_Clear();
  return items;
}

}  // namespace

Ref sequenceOf(const Arguments& given, int argument, std::ptrdiff_t count) {
  Ref items = itemsOf(given.raw(argument), count);
  if (items.get() == nullptr)
    raise(PyExc_TypeError, "%s: %s = %R: must be a sequence", given.call(), given.nameOf(argument),
          given.raw(argument));
  if (PyTuple_GET_SIZE(items.get()) < count)
    raise(Error::Size, "%s: %s has %zd items: must have %zd, one for each element", given.call(),
          given.nameOf(argument), PyTuple_GET_SIZE(items.get()), count);
  return items;
}

}  // namespace ucxx::python::shmem
