// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "arrays.h"

namespace ucxx::python::shmem {
namespace {

const char* nameOf(const Arguments& given, const Array& array) {
  return given.nameOf(array.argument);
}

/// What is between the lowest and the highest address of its elements.
void extentOf(PyArrayObject* array, char*& begin, std::size_t& bytes) noexcept {
  begin = PyArray_BYTES(array);
  std::ptrdiff_t up = PyArray_ITEMSIZE(array);
  for (int i = 0; i < PyArray_NDIM(array); ++i) {
    const std::ptrdiff_t reach = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
    if (reach < 0) {
      begin += reach;
      up -= reach;
    } else {
      up += reach;
    }
  }
  bytes = static_cast<std::size_t>(up);
}

}  // namespace

void raiseNoArray(const Arguments& given, int argument) {
  PyObject* const value = given.raw(argument);
  const char* const name = given.nameOf(argument);
  if (PyArray_IsScalar(value, Generic))
    raise(PyExc_TypeError,
          "%s: %s is a NumPy scalar, %R: a[i] is a copy of the element; a[i, ...] and a[i:i+1] are "
          "views of it",
          given.call(), name, value);
  raise(PyExc_TypeError, "%s: %s is of type %s: must be a numpy.ndarray", given.call(), name,
        Py_TYPE(value)->tp_name);
}

void requirePlain(const Arguments& given, int argument) {
  auto* const array = reinterpret_cast<PyArrayObject*>(given.raw(argument));
  PyArray_Descr* const type = PyArray_DESCR(array);
  if (!PyDataType_REFCHK(type)) return;
  raise(PyExc_TypeError,
        "%s: %s is of dtype %S: elements are Python objects, which mean nothing to another PE",
        given.call(), given.nameOf(argument), reinterpret_cast<PyObject*>(type));
}

void raiseReadOnly(const Arguments& given, const Array& array) {
  raise(PyExc_ValueError, "%s: %s is a read-only array: must be writable", given.call(),
        nameOf(given, array));
}

void raiseSameType(const Arguments& given, const Array& one, const Array& other) {
  const Ref left = typeOf(one), right = typeOf(other);
  raise(Error::Dtype, "%s: %s is of dtype %S and %s of %S: must be the same", given.call(),
        nameOf(given, one), left.get(), nameOf(given, other), right.get());
}

void requireForeignSymmetric(const Arguments& given, const Array& array) {
  const char* const name = nameOf(given, array);
  if (isPeers(reinterpret_cast<PyObject*>(array.object)))
    raise(Error::NotSymmetric,
          "%s: %s is the memory of another PE, from ptr(): give the symmetric array itself, and "
          "that PE",
          given.call(), name);
  const Memory* const memory = memoryOf(reinterpret_cast<PyObject*>(array.object));
  if (memory != nullptr) {
    if (isGone(*memory)) raiseFreed(given, array);
    return;
  }
  if (array.count == 0) return;
  char* begin = nullptr;
  std::size_t bytes = 0;
  extentOf(array.object, begin, bytes);
  if (functions.addr_accessible(begin, state.me) != 0 &&
      functions.addr_accessible(begin + bytes - 1, state.me) != 0)
    return;
  raise(Error::NotSymmetric,
        "%s: %s is not symmetric: must be made by zeros(), empty() or another function of "
        "ucxx.shmem, or be a view of such an array",
        given.call(), name);
}

void raiseFreed(const Arguments& given, const Array& array) {
  const Memory* const memory = memoryOf(reinterpret_cast<PyObject*>(array.object));
  const bool is_freed = memory != nullptr && memory->is_freed;
  raise(Error::NotSymmetric, "%s: the memory of %s %s", given.call(), nameOf(given, array),
        is_freed ? "is freed" : "went with the finalize since");
}

void raiseNotContiguous(const Arguments& given, const Array& array) {
  raise(PyExc_ValueError, "%s: %s is not contiguous: must be, in C's or Fortran's order",
        given.call(), nameOf(given, array));
}

void raiseNotSameOrder(const Arguments& given, const Array& one, const Array& other) {
  if (!one.isContiguous()) raiseNotContiguous(given, one);
  if (!other.isContiguous()) raiseNotContiguous(given, other);
  raise(PyExc_ValueError,
        "%s: %s and %s are contiguous in different orders, C's and Fortran's: must be in the same",
        given.call(), nameOf(given, one), nameOf(given, other));
}

void raiseNotAligned(const Arguments& given, const Array& array, std::ptrdiff_t alignment) {
  raise(PyExc_ValueError, "%s: %s is not aligned: its address must be a multiple of %zd",
        given.call(), nameOf(given, array), alignment);
}

void raiseNotOne(const Arguments& given, const Array& array) {
  raise(Error::Size,
        "%s: %s has %zd elements: must have one, as the views a[i, ...] and a[i:i+1] have",
        given.call(), nameOf(given, array), array.count);
}

Kind nativeKindOf(const Array& array) noexcept {
  const PyArray_Descr* const type = PyArray_DESCR(array.object);
  const auto by_size = [&](Kind smallest) {
    int exponent = 0;
    while ((std::ptrdiff_t{1} << exponent) < array.item_bytes) ++exponent;
    return static_cast<Kind>(static_cast<int>(smallest) + exponent);
  };
  switch (type->type_num) {
    case NPY_BOOL:
      return Kind::Bool;
    case NPY_BYTE:
    case NPY_SHORT:
    case NPY_INT:
    case NPY_LONG:
    case NPY_LONGLONG:
      return by_size(Kind::Int8);
    case NPY_UBYTE:
    case NPY_USHORT:
    case NPY_UINT:
    case NPY_ULONG:
    case NPY_ULONGLONG:
      return by_size(Kind::Uint8);
    case NPY_FLOAT:
      return Kind::Float;
    case NPY_DOUBLE:
      return Kind::Double;
    case NPY_LONGDOUBLE:
      return Kind::LongDouble;
    case NPY_CFLOAT:
      return Kind::ComplexFloat;
    case NPY_CDOUBLE:
      return Kind::ComplexDouble;
    default:
      return Kind::Other;
  }
}

Ref typeOf(const Array& array) {
  return Ref(need(PyObject_Str(reinterpret_cast<PyObject*>(PyArray_DESCR(array.object)))));
}

void requireWord(const Arguments& given, const Array& array, Kind kind, const char* wanted) {
  requireOne(given, array);
  if (kindOf(array) != kind) {
    const Ref type = typeOf(array);
    raise(PyExc_TypeError, "%s: %s is of dtype %S: must be %s", given.call(), nameOf(given, array),
          type.get(), wanted);
  }
  requireAligned(given, array);
}

std::ptrdiff_t checkedSize(const Arguments& given, int argument, std::ptrdiff_t most) {
  const long size = longOf(given, argument);
  if (size < 0 || size > most)
    raise(Error::Size, "%s: %s = %ld: must be from 0 to %zd, which the arrays have room for",
          given.call(), given.nameOf(argument), size, most);
  return size;
}

}  // namespace ucxx::python::shmem
