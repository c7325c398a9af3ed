// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The counters under a lock of OpenSHMEM, or by its atomic operations.

#pragma once

#include "pages.h"
#include "program.h"

struct counters {
  struct page* pages;  // those of PE 0 count
  long* lock;
};

// The point is (1, 0), the counts are 0.
static inline void counters_open(struct counters* counters, bool locks) {
  counters->pages = symmetric(2 * sizeof(struct page));
  counters->lock = symmetric(sizeof(long));
  if (locks) counters->pages[0].counter.coordinate = 1;
  shmem_barrier_all();
}

static inline void counters_rotate(struct counters* counters, double cosine, double sine) {
  double* const x = &counters->pages[0].counter.coordinate;
  double* const y = &counters->pages[1].counter.coordinate;
  shmem_set_lock(counters->lock);
  double old_x, old_y;
  shmem_double_get_nbi(&old_x, x, 1, 0);
  shmem_double_get_nbi(&old_y, y, 1, 0);
  shmem_quiet();  // both at once, where a get goes over a network
  shmem_double_p(x, cosine * old_x - sine * old_y, 0);
  shmem_double_p(y, sine * old_x + cosine * old_y, 0);
  shmem_clear_lock(counters->lock);
}

static inline void counters_increase(struct counters* counters) {
  shmem_long_atomic_inc(&counters->pages[0].counter.count, 0);
  shmem_long_atomic_inc(&counters->pages[1].counter.count, 0);
}

// All updates of this PE are there.
static inline void counters_finish(struct counters* counters) {
  (void)counters;
  shmem_quiet();
}

// Of PE 0.
static inline union counter counters_value(struct counters* counters, int which) {
  return counters->pages[which].counter;
}

static inline void counters_close(struct counters* counters) { (void)counters; }
