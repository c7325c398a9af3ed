// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The PEs of an OpenSHMEM program.

#pragma once

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5
#include "active_sets.h"
#endif

#define WORLD_MODEL "shmem"

static inline void world_start(int* argc, char*** argv) {
  (void)argc, (void)argv;
  shmem_init();
}

static inline void world_end(void) { shmem_finalize(); }

static inline int world_me(void) { return shmem_my_pe(); }

static inline int world_pes(void) { return shmem_n_pes(); }

static inline void world_barrier(void) { shmem_barrier_all(); }

// Symmetric memory, all of it 0.
static inline void* symmetric(size_t bytes) {
  void* const memory = shmem_calloc(bytes, 1);
  if (memory == NULL) {
    if (world_me() == 0)
      fprintf(stderr, "error: no %zu bytes of symmetric memory: set SHMEM_SYMMETRIC_SIZE\n", bytes);
    exit(2);
  }
  shmem_barrier_all();  // Open MPI 4.1 clears after its barrier, what others have written by then,
                        // too
  return memory;
}

static inline double reduced(int (*reduce)(shmem_team_t, double*, const double*, size_t),
                             double mine) {
  double* const values = symmetric(2 * sizeof(double));
  values[0] = mine;
  reduce(SHMEM_TEAM_WORLD, &values[1], &values[0], 1);
  const double result = values[1];
  shmem_free(values);
  return result;
}

static inline double world_total(double mine) { return reduced(shmem_double_sum_reduce, mine); }

static inline double world_largest(double mine) { return reduced(shmem_double_max_reduce, mine); }
