// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Blocks by MPI_Alltoall, or by MPI_Get behind a barrier.

#pragma once

#include "blocks.h"
#include "program.h"

// Two windows, in turn: who has begun an exchange has done with the memory of the last but one.
struct blocks_state {
  double* outgoing[2];
  MPI_Win windows[2];
  double* incoming;
  int set;
};

static inline void blocks_open_window(struct blocks_state* state, int set, size_t bytes) {
  MPI_Win_allocate((MPI_Aint)bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &state->outgoing[set], &state->windows[set]);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, state->windows[set]);
}

static inline void blocks_open(struct blocks* blocks) {
  struct blocks_state* const state = blocks->state = calloc(1, sizeof *state);
  const size_t all = blocks->count * (size_t)world_pes();
  state->incoming = new_doubles(blocks->gets ? blocks->count : all);
  if (!blocks->gets) state->outgoing[0] = state->outgoing[1] = new_doubles(all);
  for (int set = 0; set < 2 && blocks->gets; set++)
    blocks_open_window(state, set, all * sizeof(double));
  blocks->outgoing = state->outgoing[0];
}

// Begins an exchange of what is in 'outgoing'.
static inline void blocks_start(struct blocks* blocks) {
  struct blocks_state* const state = blocks->state;
  if (!blocks->gets) {
    const int count = (int)blocks->count;
    MPI_Alltoall(blocks->outgoing, count, MPI_DOUBLE, state->incoming, count, MPI_DOUBLE,
                 MPI_COMM_WORLD);
    return;
  }
  MPI_Win_sync(state->windows[state->set]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(state->windows[state->set]);
}

// The block of a PE for this one, until the next call.
static inline const double* blocks_from(struct blocks* blocks, int pe) {
  struct blocks_state* const state = blocks->state;
  const int count = (int)blocks->count;
  if (!blocks->gets) return state->incoming + blocks->count * (size_t)pe;
  const MPI_Aint place = (MPI_Aint)blocks->count * world_me();
  const MPI_Win window = state->windows[state->set];
  MPI_Get(state->incoming, count, MPI_DOUBLE, pe, place, count, MPI_DOUBLE, window);
  MPI_Win_flush(pe, window);
  return state->incoming;
}

// All blocks were read; 'outgoing' is other memory now.
static inline void blocks_end(struct blocks* blocks) {
  struct blocks_state* const state = blocks->state;
  state->set = !state->set;
  blocks->outgoing = state->outgoing[state->set];
}

static inline void blocks_close(struct blocks* blocks) {
  for (int set = 0; set < 2 && blocks->gets; set++) {
    MPI_Win_unlock_all(blocks->state->windows[set]);
    MPI_Win_free(&blocks->state->windows[set]);
  }
}
