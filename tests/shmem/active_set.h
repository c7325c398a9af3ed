// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "shmem/check.h"

// Active sets, the older way to name the PEs of a collective.

namespace ucxx::test {

struct ActiveSet {
  int start, log_stride, size;

  int peOf(int member) const { return start + (member << log_stride); }
  /// -1: not in the set.
  int me() const {
    const int distance = shmem_my_pe() - start;
    if (distance < 0 || distance % (1 << log_stride) != 0) return -1;
    const int member = distance >> log_stride;
    return member < size ? member : -1;
  }
  bool has() const { return me() >= 0; }
};

/// All PEs; every second and fourth one; one; the upper half.
inline std::vector<ActiveSet> someSets() {
  const int pes = shmem_n_pes();
  std::vector<ActiveSet> sets{{0, 0, pes},     {0, 1, (pes + 1) / 2},
                              {pes - 1, 0, 1}, {0, 2, (pes + 3) / 4},
                              {0, 30, 1},      {pes / 2, 0, pes - pes / 2}};
  if (pes > 1) sets.push_back({1, 1, pes / 2});
  return sets;
}

/// A pSync array: static, so on all PEs.
template <std::size_t Size>
struct PSync {
  long elements[Size] = {SHMEM_SYNC_VALUE};

  long* get() { return elements; }
  /// On return of a call, and until another member may be in the next one.
  void check() const {
    CHECK(std::all_of(elements, elements + Size,
                      [](long element) { return element == SHMEM_SYNC_VALUE; }));
  }
};
static_assert(SHMEM_SYNC_VALUE == 0, "or not all elements have it");

}  // namespace ucxx::test
