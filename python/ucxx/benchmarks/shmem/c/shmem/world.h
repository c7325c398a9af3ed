// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// All PEs of a job of OpenSHMEM 1.4 or later.
#pragma once

#include <shmem.h>

#include "measure.h"

static long* shared;

/// Symmetric memory of zeros; the job ends, with what would do, where the heap has no room for it.
static void* symmetric(size_t size) {
  void* const memory = shmem_align(kPage, size);
  if (!memory) {
    if (me == 0)
      fprintf(stderr,
              "the symmetric heap has no room for %zu bytes: a smaller size, or a larger "
              "SHMEM_SYMMETRIC_SIZE in the environment would do\n",
              size);
    shmem_barrier_all();  // a launcher ends all when one has ended
    shmem_global_exit(1);
  }
  return memset(memory, 0, size);
}

static void meet(void) { shmem_barrier_all(); }

static void tell(long* object, long value) {
  for (int pe = 0; pe < pes; ++pe) shmem_long_p(object, value, pe);
}

static long agreed(long value) {
  shmem_barrier_all();
  if (me == 0) tell(shared, value);
  shmem_barrier_all();
  return *shared;
}

static void begin(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  shared = symmetric(sizeof *shared);
  meet();
}

static void end(int status) {
  if (status != 0) shmem_global_exit(status);
  shmem_finalize();
}
