// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The sum of vectors by a reduction, of which all PEs get the result: there is none for one alone.

#pragma once

#include "program.h"

struct vector_sum {
  size_t length;
  double* own;           // the caller fills it
  const double* values;  // of this PE: on PE 0 the last sum, else its own
  double* total[2];      // in turn: who is ahead writes that of its next sum
  int set;
};

static inline void vector_sum_open(struct vector_sum* sum) {
  sum->values = sum->own = symmetric(sum->length * sizeof(double));
  for (int set = 0; set < 2; set++) sum->total[set] = symmetric(sum->length * sizeof(double));
  sum->set = 0;
}

static inline void vector_sum_to_first(struct vector_sum* sum) {
  double* const total = sum->total[sum->set];
  sum->set = !sum->set;
  shmem_double_sum_reduce(SHMEM_TEAM_WORLD, total, sum->own, sum->length);
  if (world_me() == 0) sum->values = total;
}
