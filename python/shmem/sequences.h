// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "arguments.h"

// Arguments with an item for each element of an array.

namespace ucxx::python::shmem {

/// The items as a tuple, at least `count`: of a sequence, or, in C's order, of an array, of
/// sequences in a sequence, or of a single number. Throws Raised.
Ref sequenceOf(const Arguments& given, int argument, std::ptrdiff_t count);

}  // namespace ucxx::python::shmem
