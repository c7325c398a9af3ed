// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The sum of vectors by MPI_Reduce.

#pragma once

#include "program.h"

struct vector_sum {
  size_t length;
  double* own;           // the caller fills it
  const double* values;  // the same
};

static inline void vector_sum_open(struct vector_sum* sum) {
  sum->values = sum->own = new_doubles(sum->length);
}

static inline void vector_sum_to_first(struct vector_sum* sum) {
  const bool is_first = world_me() == 0;
  MPI_Reduce(is_first ? MPI_IN_PLACE : sum->own, sum->own, (int)sum->length, MPI_DOUBLE, MPI_SUM, 0,
             MPI_COMM_WORLD);
}
