// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cmath>
#include <span>
#include <type_traits>

#include "arrays.h"
#include "numbers.h"

// Elements as Python's numbers, and back.

namespace ucxx::python::shmem {

/// Raises the class of the pending exception, as int(nan) has left it; `otherwise` if there is
/// none.
[[noreturn, gnu::cold]] void raiseNoNumber(const Arguments& given, const char* name,
                                           PyObject* value, const char* type,
                                           PyObject* otherwise = PyExc_TypeError);

/// Python's and NumPy's own real numbers. What holds for other classes is as in isInteger.
inline bool isReal(PyObject* value) noexcept {
  return PyFloat_Check(value) || PyArray_IsScalar(value, Floating) || isInteger(value);
}

template <class T>
constexpr const char* nameOfType() noexcept {
  if constexpr (std::is_same_v<T, float>) return "float32";
  if constexpr (std::is_same_v<T, double>) return "float64";
  if constexpr (std::is_same_v<T, std::int8_t>) return "int8";
  if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "uint64";
}

template <class T>
T realOf(const Arguments& given, PyObject* value, const char* name) {
  Ref made;
  PyObject* real = value;
  if (!isReal(value)) [[unlikely]] {
    made = realFrom(value);
    real = made.get();
    if (real == nullptr) raiseNoNumber(given, name, value, nameOfType<T>());
  }
  const double number = PyFloat_AsDouble(real);
  const bool is_error = number == -1 && PyErr_Occurred() != nullptr;
  if (is_error || (std::isfinite(number) && !std::isfinite(static_cast<T>(number)))) [[unlikely]]
    raiseNoNumber(given, name, value, nameOfType<T>(), PyExc_OverflowError);
  return static_cast<T>(number);
}

template <class T>
T integerOf(const Arguments& given, PyObject* value, const char* name) {
  Ref made;
  PyObject* integer = value;
  if (!PyLong_Check(value)) [[unlikely]] {
    made = integerFrom(value);
    integer = made.get();
    if (integer == nullptr) raiseNoNumber(given, name, value, nameOfType<T>());
  }
  using Wide = std::conditional_t<std::is_signed_v<T>, long, unsigned long>;
  Wide number = 0;
  if constexpr (std::is_signed_v<T>)
    number = PyLong_AsLong(integer);
  else
    number = PyLong_AsUnsignedLong(integer);
  const bool is_error = number == static_cast<Wide>(-1) && PyErr_Occurred() != nullptr;
  if (is_error || number != static_cast<Wide>(static_cast<T>(number))) [[unlikely]]
    raiseNoNumber(given, name, value, nameOfType<T>(), PyExc_OverflowError);
  return static_cast<T>(number);
}

/// A number of that type: Python's, a NumPy scalar, or an array of one element. Throws Raised:
/// none, or one that does not fit.
template <class T>
T valueOf(const Arguments& given, PyObject* value, const char* name) {
  if constexpr (std::is_floating_point_v<T>)
    return realOf<T>(given, value, name);
  else
    return integerOf<T>(given, value, name);
}
template <class T>
T valueOf(const Arguments& given, int argument) {
  return valueOf<T>(given, given.raw(argument), given.nameOf(argument));
}

/// Calls `act` with a value of the type of a kind, if that is an integer of 32 or 64 bits, as
/// atomic operations and waits take them; else `otherwise`.
template <class Act, class Otherwise>
PyObject* withInteger(Kind kind, const Act& act, const Otherwise& otherwise) {
  switch (kind) {
    // NOLINTNEXTLINE(bugprone-branch-clone): each has a type of its own
    case Kind::Int32:
      return act(std::int32_t());
    case Kind::Int64:
      return act(std::int64_t());
    case Kind::Uint32:
      return act(std::uint32_t());
    case Kind::Uint64:
      return act(std::uint64_t());
    default:
      return otherwise();
  }
}

/// Calls `act` with a value of the type of a kind, if that is an integer, float or double; else
/// `otherwise`.
template <class Act, class Otherwise>
void withReal(Kind kind, const Act& act, const Otherwise& otherwise) {
  switch (kind) {
    // NOLINTNEXTLINE(bugprone-branch-clone): each has a type of its own
    case Kind::Int8:
      return act(std::int8_t());
    case Kind::Int16:
      return act(std::int16_t());
    case Kind::Int32:
      return act(std::int32_t());
    case Kind::Int64:
      return act(std::int64_t());
    case Kind::Uint8:
      return act(std::uint8_t());
    case Kind::Uint16:
      return act(std::uint16_t());
    case Kind::Uint32:
      return act(std::uint32_t());
    case Kind::Uint64:
      return act(std::uint64_t());
    case Kind::Float:
      return act(float());
    case Kind::Double:
      return act(double());
    default:
      return otherwise();
  }
}

template <class T>
PyObject* numberOf(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return PyFloat_FromDouble(static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>)
    return PyLong_FromLong(value);
  else
    return PyLong_FromUnsignedLong(value);
}

/// A named value of an enumeration, for arguments that take its name as a string, too.
struct Named {
  const char* name;
  int value;
};
/// The value of an argument that is an integer or a name. Throws Raised: it is none of them.
[[gnu::noinline]] int slowChoice(const Arguments& given, int argument,
                                 std::span<const Named> names);
inline int choiceOf(const Arguments& given, int argument, std::span<const Named> names) {
  PyObject* const value = given.raw(argument);
  if (PyLong_Check(value)) [[likely]] {
    const long number = PyLong_AsLong(value);
    for (const Named& one : names) {
      if (number == one.value) return one.value;
    }
    PyErr_Clear();
  }
  return slowChoice(given, argument, names);
}

/// The argument `cmp`: SHMEM_CMP_*, or '==', 'eq' and so on.
int comparisonOf(const Arguments& given, int argument);
}  // namespace ucxx::python::shmem
