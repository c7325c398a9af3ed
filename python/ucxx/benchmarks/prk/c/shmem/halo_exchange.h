// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Borders by put, and a count at the neighbour of how often it has got some.

#pragma once

#include "halo.h"
#include "program.h"

enum { LINE = 64 / sizeof(long) };

// Two sets of memory, in turn. A neighbour that has this PE's border of one step may send its next
// one while this PE still reads, but not the one after that.
struct halo_state {
  double* incoming[2][SIDES];
  long* arrived[SIDES];
  long step;
};

static inline void halo_open(struct halo* halo) {
  struct halo_state* const state = halo->state = calloc(1, sizeof *state);
  for (int side = 0; side < SIDES; side++) {
    const size_t largest = (size_t)world_largest((double)halo->count[side]);
    halo->outgoing[side] = new_doubles(halo->count[side]);
    for (int set = 0; set < 2; set++)
      state->incoming[set][side] = symmetric(largest * sizeof(double));
    state->arrived[side] = symmetric(LINE * sizeof(long));
  }
}

static inline void halo_exchange(struct halo* halo) {
  struct halo_state* const state = halo->state;
  const int set = (int)(++state->step & 1);
  for (int side = 0; side < SIDES; side++)
    if (halo->peer[side] != NOBODY)
      shmem_double_put(state->incoming[set][opposite(side)], halo->outgoing[side],
                       halo->count[side], halo->peer[side]);
  shmem_fence();
  for (int side = 0; side < SIDES; side++)
    if (halo->peer[side] != NOBODY)
      shmem_long_atomic_inc(state->arrived[opposite(side)], halo->peer[side]);
  for (int side = 0; side < SIDES; side++) {
    if (halo->peer[side] != NOBODY)
      shmem_long_wait_until(state->arrived[side], SHMEM_CMP_GE, state->step);
    halo->incoming[side] = state->incoming[set][side];
  }
}
