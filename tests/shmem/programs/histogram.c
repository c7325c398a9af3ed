// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A histogram whose bins are distributed over the PEs, by atomic increments, on static memory.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { kBinsEach = 64, kValues = 20000 };

static unsigned bins[kBinsEach];

static uint32_t value_of(int pe, uint32_t number) {
  uint32_t value = number * 2654435761u + (uint32_t)pe * 40503u;
  value ^= value >> 15;
  return value * 2246822519u >> 8;
}

static int is_right(int me, int npes) {
  static unsigned expected[kBinsEach];
  const uint32_t all_bins = (uint32_t)npes * kBinsEach;
  for (int pe = 0; pe < npes; ++pe) {
    for (uint32_t number = 0; number < kValues; ++number) {
      const uint32_t bin = value_of(pe, number) % all_bins;
      if (bin / kBinsEach == (uint32_t)me) ++expected[bin % kBinsEach];
    }
  }
  for (int bin = 0; bin < kBinsEach; ++bin) {
    if (bins[bin] != expected[bin]) return 0;
  }
  return 1;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  for (uint32_t number = 0; number < kValues; ++number) {
    const uint32_t bin = value_of(me, number) % ((uint32_t)npes * kBinsEach);
    shmem_uint_atomic_inc(&bins[bin % kBinsEach], (int)(bin / kBinsEach));
  }
  shmem_barrier_all();
  if (!is_right(me, npes)) {
    fprintf(stderr, "PE %d: a wrong histogram\n", me);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
