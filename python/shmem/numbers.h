// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "errors.h"

// Arrays of one element and NumPy scalars where a number is wanted.

namespace ucxx::python::shmem {

/// What Python's int() makes of a NumPy scalar, or of the element of an array that has one: a
/// fraction is cut off. Null: it is neither, or no real number. An exception is set if int() has
/// raised one, as for NaN.
Ref integerFrom(PyObject* value);
/// What Python's float() makes of them, as integerFrom what int() does.
Ref realFrom(PyObject* value);

}  // namespace ucxx::python::shmem
