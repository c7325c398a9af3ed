// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <new>

#include "bindings/gil.h"
#include "errors.h"
#include "library.h"

// How the functions of the extension get their arguments: by position or by name, without a tuple
// and without a dictionary (METH_FASTCALL).

namespace ucxx::python::shmem {

inline constexpr int kMostArguments = 10;

/// A function as Python sees it. Its text is the docstring, of which the first line is the
/// signature, "put(target, source, pe, size=None, ctx=None)": names and defaults are read from
/// there, so that they stand once. An argument that is not given is null in Arguments; each
/// function knows what the default means.
class Signature {
 public:
  /// `shown`: the name for messages, where users know the function by another one.
  explicit constexpr Signature(const char* text, const char* shown = nullptr) noexcept
      : text_(text), shown_(shown) {}

  /// Reads the text; before the first call. Throws Raised.
  void prepare();
  const char* text() const noexcept { return text_; }
  const char* name() const noexcept { return name_; }
  const char* shown() const noexcept { return shown_ == nullptr ? name_ : shown_; }
  const char* nameOf(int argument) const { return PyUnicode_AsUTF8(names_[argument]); }

  /// Puts arguments where they belong. Throws Raised: too many, too few, unknown, given twice.
  void place(PyObject* const* given, Py_ssize_t count, PyObject* keywords,
             PyObject** placed) const {
    if (keywords != nullptr || count < required_ || count > positional_) [[unlikely]]
      return placeSlowly(given, count, keywords, placed);
    for (int i = 0; i < count; ++i) placed[i] = given[i];
    for (auto i = static_cast<int>(count); i < count_; ++i) placed[i] = nullptr;
  }

 private:
  [[gnu::noinline]] void placeSlowly(PyObject* const* given, Py_ssize_t count, PyObject* keywords,
                                     PyObject** placed) const;
  int find(PyObject* name) const;

  const char* text_;
  const char* shown_;
  char name_[40] = {};
  int count_ = 0;
  int required_ = 0;
  int positional_ = 0;  // those before a *
  PyObject* names_[kMostArguments] = {};
};

/// The arguments of one call, borrowed.
class Arguments {
 public:
  Arguments(const Signature& signature, PyObject* const* given, Py_ssize_t count,
            PyObject* keywords)
      : signature_(signature) {
    signature.place(given, count, keywords, values_);
  }
  /// Null: not given. None counts as not given.
  PyObject* operator[](int argument) const noexcept {
    return values_[argument] == Py_None ? nullptr : values_[argument];
  }
  /// The argument as it was given, None too; null: not given.
  PyObject* raw(int argument) const noexcept { return values_[argument]; }
  /// The name of the function, and of one of its arguments, for messages.
  const char* call() const noexcept { return signature_.shown(); }
  const char* nameOf(int argument) const { return signature_.nameOf(argument); }

 private:
  const Signature& signature_;
  PyObject* values_[kMostArguments];
};

template <Signature& signature, PyObject* (*body)(const Arguments&)>
PyObject* entry(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  try {
    return body(Arguments(signature, given, count, keywords));
  } catch (const Raised&) {
    return nullptr;
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  } catch (const Lacking& lacking) {
    setLacking(signature.shown(), lacking);
    return nullptr;
  }
}

/// One line of a module's table.
struct Function {
  Signature* signature;
  _PyCFunctionFastWithKeywords entry;
};
template <Signature& signature, PyObject* (*body)(const Arguments&)>
constexpr Function function() {
  return {&signature, &entry<signature, body>};
}

inline PyObject* none() noexcept {
  Py_INCREF(Py_None);
  return Py_None;
}

/// Python's and NumPy's own integers. Other scalars and arrays: numbers.h. Other classes could run
/// any code when they are asked for their number, and so change the arrays of the call.
inline bool isInteger(PyObject* value) noexcept {
  return PyLong_Check(value) || PyArray_IsScalar(value, Integer);
}

[[noreturn, gnu::cold]] void raiseNoInteger(const Arguments& given, int argument);
/// Raises the pending exception with the call, the argument and its value in front of the text, if
/// it is one of those that say what is wrong with a value; others stay as they are.
[[noreturn, gnu::cold]] void raiseWithName(const Arguments& given, int argument);
/// Throws Raised if it is an array that has not one element.
[[gnu::cold]] void requireOneElement(const Arguments& given, const char* name, PyObject* value);

/// Takes what numbers.h makes an integer of, too. Throws Raised.
[[gnu::noinline]] long slowLong(const Arguments& given, int argument);
/// A number that fits C's long. Throws Raised.
inline long longOf(const Arguments& given, int argument) {
  PyObject* const value = given.raw(argument);
  if (!isInteger(value)) [[unlikely]]
    return slowLong(given, argument);
  const long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred() != nullptr) [[unlikely]]
    raiseNoInteger(given, argument);
  return number;
}

}  // namespace ucxx::python::shmem
