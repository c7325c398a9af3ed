// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Blocks by alltoall, or by get behind a barrier.

#pragma once

#include "blocks.h"
#include "program.h"

// Two sets of memory, in turn: who has begun an exchange has done with the memory of the last but
// one.
struct blocks_state {
  double* outgoing[2];
  double* incoming[2];
  int set;
};

static inline void blocks_open(struct blocks* blocks) {
  struct blocks_state* const state = blocks->state = calloc(1, sizeof *state);
  const size_t all = blocks->count * (size_t)world_pes() * sizeof(double);
  for (int set = 0; set < 2; set++) {
    state->outgoing[set] = set == 0 || blocks->gets ? symmetric(all) : state->outgoing[0];
    state->incoming[set] = blocks->gets ? new_doubles(blocks->count) : symmetric(all);
  }
  blocks->outgoing = state->outgoing[0];
}

// Begins an exchange of what is in 'outgoing'.
static inline void blocks_start(struct blocks* blocks) {
  struct blocks_state* const state = blocks->state;
  if (blocks->gets)
    shmem_barrier_all();
  else
    shmem_double_alltoall(SHMEM_TEAM_WORLD, state->incoming[state->set], blocks->outgoing,
                          blocks->count);
}

// The block of a PE for this one, until the next call.
static inline const double* blocks_from(struct blocks* blocks, int pe) {
  struct blocks_state* const state = blocks->state;
  double* const incoming = state->incoming[state->set];
  if (!blocks->gets) return incoming + blocks->count * (size_t)pe;
  const double* const wanted = blocks->outgoing + blocks->count * (size_t)world_me();
  shmem_double_get(incoming, wanted, blocks->count, pe);
  return incoming;
}

// All blocks were read; 'outgoing' is other memory now.
static inline void blocks_end(struct blocks* blocks) {
  struct blocks_state* const state = blocks->state;
  state->set = !state->set;
  blocks->outgoing = state->outgoing[state->set];
}

static inline void blocks_close(struct blocks* blocks) { free(blocks->state); }
