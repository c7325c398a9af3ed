// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "python.h"

namespace ucxx::python::shmem {

/// A Python exception is set. The entry of each function (arguments.h) catches it.
struct Raised {};

/// Sets an exception with a text like PyErr_Format's, and throws Raised.
[[noreturn, gnu::cold]] void raise(PyObject* type, const char* format, ...);

/// The exceptions of the package's module _errors, which have the classes that shmem4py raises,
/// too.
enum class Error { Size, Dtype, NotSymmetric, Handle };
[[noreturn, gnu::cold]] void raise(Error error, const char* format, ...);

/// What a call of Python's C API has returned; throws Raised for null, when that call has set the
/// exception.
inline PyObject* need(PyObject* object) {
  if (object == nullptr) throw Raised{};
  return object;
}

/// Owns a reference.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) noexcept : object_(owned) {}
  ~Ref() { Py_XDECREF(object_); }
  Ref(Ref&& other) noexcept : object_(other.release()) {}
  Ref& operator=(Ref&& other) noexcept {
    PyObject* const before = object_;
    object_ = other.release();
    Py_XDECREF(before);
    return *this;
  }
  PyObject* get() const noexcept { return object_; }
  PyObject* release() noexcept {
    PyObject* const released = object_;
    object_ = nullptr;
    return released;
  }

 private:
  PyObject* object_ = nullptr;
};

}  // namespace ucxx::python::shmem
