// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The counters in a window, under its exclusive lock, or by accumulations.

#pragma once

#include "pages.h"
#include "program.h"

struct counters {
  struct page* pages;  // of PE 0
  MPI_Win window;
  bool locks;
};

// The point is (1, 0), the counts are 0.
static inline void counters_open(struct counters* counters, bool locks) {
  const MPI_Aint bytes = world_me() == 0 ? 2 * sizeof(struct page) : 0;
  counters->locks = locks;
  MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &counters->pages, &counters->window);
  if (world_me() == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, counters->window);
    memset(counters->pages, 0, (size_t)bytes);
    if (locks) counters->pages[0].counter.coordinate = 1;
    MPI_Win_unlock(0, counters->window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (!locks) MPI_Win_lock_all(0, counters->window);
}

static inline void counters_rotate(struct counters* counters, double cosine, double sine) {
  const MPI_Win window = counters->window;
  double old[2], turned[2];
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  for (int i = 0; i < 2; i++)
    MPI_Get(&old[i], 1, MPI_DOUBLE, 0, i * (MPI_Aint)sizeof(struct page), 1, MPI_DOUBLE, window);
  MPI_Win_flush(0, window);
  turned[0] = cosine * old[0] - sine * old[1];
  turned[1] = sine * old[0] + cosine * old[1];
  for (int i = 0; i < 2; i++)
    MPI_Put(&turned[i], 1, MPI_DOUBLE, 0, i * (MPI_Aint)sizeof(struct page), 1, MPI_DOUBLE, window);
  MPI_Win_unlock(0, window);
}

static inline void counters_increase(struct counters* counters) {
  static const long one = 1;
  for (int i = 0; i < 2; i++)
    MPI_Accumulate(&one, 1, MPI_LONG, 0, i * (MPI_Aint)sizeof(struct page), 1, MPI_LONG, MPI_SUM,
                   counters->window);
}

// All updates of this PE are there.
static inline void counters_finish(struct counters* counters) {
  if (!counters->locks) MPI_Win_flush(0, counters->window);
}

// Of PE 0.
static inline union counter counters_value(struct counters* counters, int which) {
  if (counters->locks) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, counters->window);
  MPI_Win_sync(counters->window);
  const union counter value = counters->pages[which].counter;
  if (counters->locks) MPI_Win_unlock(0, counters->window);
  return value;
}

static inline void counters_close(struct counters* counters) {
  if (!counters->locks) MPI_Win_unlock_all(counters->window);
  MPI_Win_free(&counters->window);
}
