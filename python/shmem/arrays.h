// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "arguments.h"
#include "functions.h"
#include "memory.h"
#include "state.h"

// Arguments that are NumPy arrays.

namespace ucxx::python::shmem {

/// An array as an argument: what the calls need of it. Borrows the array.
struct Array {
  PyArrayObject* object;
  char* data;
  std::ptrdiff_t count;       ///< elements
  std::ptrdiff_t item_bytes;  ///< of an element
  const Memory* block;        ///< where it lies; null: in none of this extension
  int argument;               ///< which one it is, for messages

  /// The elements stand one after the other, in C's order or in Fortran's.
  bool isContiguous() const noexcept {
    return (PyArray_FLAGS(object) & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS)) != 0;
  }
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(count * item_bytes); }
};

[[noreturn, gnu::cold]] void raiseNoArray(const Arguments& given, int argument);
/// Throws Raised if elements hold references, as those of dtype object.
[[gnu::cold]] void requirePlain(const Arguments& given, int argument);
[[noreturn, gnu::cold]] void raiseReadOnly(const Arguments& given, const Array& array);
[[noreturn, gnu::cold]] void raiseSameType(const Arguments& given, const Array& one,
                                           const Array& other);
/// Throws Raised unless the array is symmetric though it lies in no block of this extension.
[[gnu::cold]] void requireForeignSymmetric(const Arguments& given, const Array& array);
[[noreturn, gnu::cold]] void raiseFreed(const Arguments& given, const Array& array);
[[noreturn, gnu::cold]] void raiseNotContiguous(const Arguments& given, const Array& array);
[[noreturn, gnu::cold]] void raiseNotSameOrder(const Arguments& given, const Array& one,
                                               const Array& other);
[[noreturn, gnu::cold]] void raiseNotAligned(const Arguments& given, const Array& array,
                                             std::ptrdiff_t alignment);
[[noreturn, gnu::cold]] void raiseNotOne(const Arguments& given, const Array& array);

inline std::ptrdiff_t elementsOf(PyArrayObject* array) noexcept {
  const int dimensions = PyArray_NDIM(array);
  const npy_intp* const shape = PyArray_DIMS(array);
  std::ptrdiff_t count = 1;
  for (int i = 0; i < dimensions; ++i) count *= shape[i];
  return count;
}

/// The block where an array of this extension or a view of one lies; null: there is none, or one
/// that memoryOf finds.
inline const Memory* blockOf(PyArrayObject* array) noexcept {
  PyObject* base = PyArray_BASE(array);
  while (base != nullptr && PyArray_CheckExact(base))
    base = PyArray_BASE(reinterpret_cast<PyArrayObject*>(base));
  if (base == nullptr || Py_TYPE(base) != &memory_type) return nullptr;
  return reinterpret_cast<const Memory*>(base);
}
inline bool isGone(const Memory& block) noexcept {
  return block.is_freed || block.epoch != state.epoch;
}

/// Any array, also of this PE alone.
inline Array arrayOf(const Arguments& given, int argument) {
  PyObject* const value = given.raw(argument);
  if (!PyArray_Check(value)) [[unlikely]]
    raiseNoArray(given, argument);
  auto* const array = reinterpret_cast<PyArrayObject*>(value);
  const PyArray_Descr* const type = PyArray_DESCR(array);
  if (type->type_num >= NPY_OBJECT && type->type_num != NPY_HALF) [[unlikely]]
    requirePlain(given, argument);
  const Array found{
      array,   PyArray_BYTES(array), elementsOf(array), PyArray_ITEMSIZE(array), blockOf(array),
      argument};
  if (found.block != nullptr && isGone(*found.block)) [[unlikely]]
    raiseFreed(given, found);
  return found;
}

inline void requireWritable(const Arguments& given, const Array& array) {
  if ((PyArray_FLAGS(array.object) & NPY_ARRAY_WRITEABLE) == 0) [[unlikely]]
    raiseReadOnly(given, array);
}

/// Throws Raised unless all PEs have the array, and it is not freed.
inline void requireSymmetric(const Arguments& given, const Array& array) {
  if (array.block == nullptr) [[unlikely]]
    return requireForeignSymmetric(given, array);
  if (isGone(*array.block)) [[unlikely]]
    raiseFreed(given, array);
}

/// A symmetric array that peers, or this call, write to.
inline Array targetOf(const Arguments& given, int argument) {
  const Array array = arrayOf(given, argument);
  requireWritable(given, array);
  requireSymmetric(given, array);
  return array;
}
/// A symmetric array that is read.
inline Array symmetricOf(const Arguments& given, int argument) {
  const Array array = arrayOf(given, argument);
  requireSymmetric(given, array);
  return array;
}
/// An array of this PE that the call writes to.
inline Array resultOf(const Arguments& given, int argument) {
  const Array array = arrayOf(given, argument);
  requireWritable(given, array);
  return array;
}

inline void requireSameType(const Arguments& given, const Array& one, const Array& other) {
  PyArray_Descr* const left = PyArray_DESCR(one.object);
  PyArray_Descr* const right = PyArray_DESCR(other.object);
  if (left != right && PyArray_EquivTypes(left, right) == 0) [[unlikely]]
    raiseSameType(given, one, other);
}
/// The elements of both stand in the order of their indices, without gaps: in C's, or those of one
/// shape in Fortran's.
inline bool areFlat(const Array& one, const Array& other) noexcept {
  const int common = PyArray_FLAGS(one.object) & PyArray_FLAGS(other.object);
  if ((common & NPY_ARRAY_C_CONTIGUOUS) != 0) [[likely]]
    return true;
  return (common & NPY_ARRAY_F_CONTIGUOUS) != 0 && PyArray_SAMESHAPE(one.object, other.object);
}
/// For calls that copy memory as it is: both are contiguous, in the same order.
inline void requireSameOrder(const Arguments& given, const Array& one, const Array& other) {
  const int common = PyArray_FLAGS(one.object) & PyArray_FLAGS(other.object);
  if ((common & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS)) == 0) [[unlikely]]
    raiseNotSameOrder(given, one, other);
}
/// Throws Raised unless elements of 4 or 8 bytes are aligned, as atomic operations and waits want.
inline void requireAligned(const Arguments& given, const Array& array) {
  const auto address = reinterpret_cast<std::uintptr_t>(array.data);
  if ((array.item_bytes == 8 && address % 8 != 0) || (array.item_bytes == 4 && address % 4 != 0))
      [[unlikely]]
    raiseNotAligned(given, array, array.item_bytes);
}
inline void requireOne(const Arguments& given, const Array& array) {
  if (array.count != 1) [[unlikely]]
    raiseNotOne(given, array);
}

/// What its elements are, in whichever byte order.
Kind nativeKindOf(const Array& array) noexcept;
/// What its elements are. Other byte orders are Other.
inline Kind kindOf(const Array& array) noexcept {
  return PyArray_ISBYTESWAPPED(array.object) ? Kind::Other : nativeKindOf(array);
}
/// The dtype as text, for messages.
Ref typeOf(const Array& array);
/// Throws Raised unless it is one aligned element of that kind; `wanted` is what messages call it.
void requireWord(const Arguments& given, const Array& array, Kind kind, const char* wanted);

/// The argument `size`: how many elements, `most` if it is not given. Throws Raised.
std::ptrdiff_t checkedSize(const Arguments& given, int argument, std::ptrdiff_t most);
inline std::ptrdiff_t sizeOf(const Arguments& given, int argument, std::ptrdiff_t most) {
  return given[argument] == nullptr ? most : checkedSize(given, argument, most);
}

}  // namespace ucxx::python::shmem
