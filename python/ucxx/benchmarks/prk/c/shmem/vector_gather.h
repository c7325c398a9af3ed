// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A vector of which each PE has a part, and all of it by collect: parts may be of any length.

#pragma once

#include "program.h"

struct vector_gather {
  long length;      // of all
  size_t count;     // of the own part
  double* own;      // the caller fills it
  double* all;      // until the next gather
  double* sets[2];  // of which 'all' is one, in turn: who is ahead writes that of its next gather
};

static inline void vector_gather_open(struct vector_gather* vector) {
  const size_t bytes = (size_t)vector->length * sizeof(double);
  const long largest = share_of(vector->length, world_pes(), 0);
  vector->own = symmetric((size_t)largest * sizeof(double));
  for (int set = 0; set < 2; set++) vector->sets[set] = symmetric(bytes);
  vector->all = vector->sets[0];
}

static inline void vector_gather(struct vector_gather* vector) {
  vector->all = vector->sets[vector->all == vector->sets[0]];
  shmem_double_collect(SHMEM_TEAM_WORLD, vector->all, vector->own, vector->count);
}
