// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx_shmem/types.h>

#include "shmem/checks/failure.h"

namespace ucxx::shmem {

/// SHMEM_CMP_*, of the value that is there with the one that was given.
template <class T>
inline bool compares(T value, int comparison, T with) noexcept {
  switch (comparison) {
    case SHMEM_CMP_EQ:
      return value == with;
    case SHMEM_CMP_NE:
      return value != with;
    case SHMEM_CMP_GT:
      return value > with;
    case SHMEM_CMP_GE:
      return value >= with;
    case SHMEM_CMP_LT:
      return value < with;
    case SHMEM_CMP_LE:
      return value <= with;
    default:
      return false;  // requireComparison was asked before
  }
}

/// What is none would never hold.
inline void requireComparison(int comparison, const char* call) noexcept {
  if (static_cast<unsigned>(comparison) > static_cast<unsigned>(SHMEM_CMP_GE)) [[unlikely]]
    fail(call, "%d is no comparison: give one of SHMEM_CMP_EQ, NE, GT, GE, LT, LE", comparison);
}

}  // namespace ucxx::shmem
