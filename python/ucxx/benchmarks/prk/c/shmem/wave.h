// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Single values, each with the number of the step it belongs to, which is what the receiver waits
// for.

#pragma once

#include "program.h"

// One line of the cache goes over for both.
struct wave_slot {
  double value;
  long step;
};

// A slot for each row: nobody writes one again before the last PE has ended the step, and by then
// all have read theirs.
struct wave {
  struct wave_slot* slots;
  long step;
};

static inline void wave_open(struct wave* wave, long rows) {
  wave->slots = symmetric((size_t)rows * sizeof(struct wave_slot));
  wave->step = 0;
}

static inline void wave_next_step(struct wave* wave) { wave->step++; }

static inline void wave_send(const struct wave* wave, long row, double value, int pe) {
  shmem_double_p(&wave->slots[row].value, value, pe);
  shmem_fence();
  shmem_long_p(&wave->slots[row].step, wave->step, pe);
}

static inline double wave_receive(const struct wave* wave, long row, int pe) {
  (void)pe;
  shmem_long_wait_until(&wave->slots[row].step, SHMEM_CMP_GE, wave->step);
  return wave->slots[row].value;
}
