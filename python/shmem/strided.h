// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "arrays.h"
#include "handles.h"

// Transfers between arrays of which at least one is not contiguous.

namespace ucxx::python::shmem {

enum class Direction { Put, Get };

/// Moves the first `count` elements, in C's order of indices, from `source` to `target`: as
/// `target.flat[:count] = source.flat[:count]`. Blocking.
void moveStrided(Direction direction, const Array& target, const Array& source,
                 std::ptrdiff_t count, Remote remote);

/// The widest unit that divides a size, and which of `functions.strided` moves it.
struct Unit {
  int index;
  std::ptrdiff_t bytes;
};
Unit unitOf(std::ptrdiff_t bytes) noexcept;

}  // namespace ucxx::python::shmem
