// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "arrays.h"
#include "handles.h"

// What collectives and reductions have in common.

namespace ucxx::python::shmem {

/// Both arrays of a collective: symmetric, contiguous, of one dtype, apart from each other.
struct Pair {
  Array target, source;
};
enum class Overlap { No, OneBuffer };  ///< whether both may be the same buffer
Pair pairOf(const Arguments& given, Overlap overlap);

[[noreturn, gnu::cold]] void raiseRefused(const Arguments& given, int status);

/// Calls a collective without the GIL.
template <class Call>
PyObject* together(const Arguments& given, const Call& call) {
  const int status = withoutGil(call);
  if (status != 0) [[unlikely]]
    raiseRefused(given, status);
  return none();
}

}  // namespace ucxx::python::shmem
