// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "errors.h"

#include <cstdarg>

namespace ucxx::python::shmem {
namespace {

const char* nameOf(Error error) noexcept {
  switch (error) {
    case Error::Size:
      return "SizeError";
    case Error::Dtype:
      return "DtypeError";
    case Error::NotSymmetric:
      return "NotSymmetricError";
    default:
      return "HandleError";
  }
}

/// From the package, so that Python can show and document the class.
Ref classOf(Error error) {
  const Ref module(need(PyImport_ImportModule("ucxx.shmem._errors")));
  return Ref(need(PyObject_GetAttrString(module.get(), nameOf(error))));
}

}  // namespace

void raise(PyObject* type, const char* format, ...) {
  va_list values;
  va_start(values, format);
  PyErr_FormatV(type, format, values);
  va_end(values);
  throw Raised{};
}

void raise(Error error, const char* format, ...) {
  const Ref type = classOf(error);
  va_list values;
  va_start(values, format);
  PyErr_FormatV(type.get(), format, values);
  va_end(values);
  throw Raised{};
}

}  // namespace ucxx::python::shmem
