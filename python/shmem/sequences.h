// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "arguments.h"

// Arguments of several items.

namespace ucxx::python::shmem {

/// The items of whatever can be iterated: a tuple, since what makes numbers of the items may change
/// the sequence. Null: it cannot be iterated. Throws Raised, with what the iterator has raised.
Ref tupleOf(PyObject* value);

/// A tuple with an item for each of `count` elements, or more: of a sequence, or, in C's order, of
/// an array, of sequences in a sequence, or of a single number. Throws Raised.
Ref sequenceOf(const Arguments& given, int argument, std::ptrdiff_t count);

}  // namespace ucxx::python::shmem
