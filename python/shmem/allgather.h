// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "errors.h"

namespace ucxx::python::shmem {

/// An allgather that is a Python function: of bytes, to a sequence of bytes.
struct Exchange {
  PyObject* function;  ///< borrowed
  int size;
};

/// A shmemx_allgather_t, of which the context is an Exchange. Leaves the exception of a function
/// that has failed.
int gather(const void* mine, void* all, std::size_t bytes, void* context);

}  // namespace ucxx::python::shmem
