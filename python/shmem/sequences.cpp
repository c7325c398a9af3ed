// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "sequences.h"

#include "values.h"

namespace ucxx::python::shmem {
namespace {

/// The elements of an array, in C's order.
Ref flatItems(PyObject* array) {
  const Ref flat(need(PyArray_Ravel(reinterpret_cast<PyArrayObject*>(array), NPY_CORDER)));
  return Ref(need(PySequence_Tuple(flat.get())));
}

/// Clears the pending exception if it is of that class; throws Raised for others, which the
/// program's own code may have raised.
void clearOnly(PyObject* kind) {
  if (PyErr_ExceptionMatches(kind) == 0) throw Raised{};
  PyErr_Clear();
}

/// Null: there are no items.
Ref itemsOf(PyObject* value, std::ptrdiff_t count) {
  if (PyArray_Check(value)) return flatItems(value);
  Ref items = tupleOf(value);
  if (items.get() != nullptr && PyTuple_GET_SIZE(items.get()) >= count) return items;
  if (PySequence_Check(value) == 0 && !isReal(value)) return items;
  const Ref array(PyArray_FROM_O(value));  // of sequences in a sequence, or of a number
  if (array.get() != nullptr) return flatItems(array.get());
  clearOnly(PyExc_ValueError);  // the sequences differ in length
  return items;
}

}  // namespace

Ref tupleOf(PyObject* value) {
  const Ref iterator(PyObject_GetIter(value));
  if (iterator.get() != nullptr) return Ref(need(PySequence_Tuple(iterator.get())));
  clearOnly(PyExc_TypeError);
  return {};
}

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
