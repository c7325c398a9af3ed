// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "errors.h"

#include <cstdarg>

namespace ucxx::python::shmem {

void raise(PyObject* type, const char* format, ...) {
  va_list values;
  va_start(values, format);
  PyErr_FormatV(type, format, values);
  va_end(values);
  throw Raised{};
}

}  // namespace ucxx::python::shmem
