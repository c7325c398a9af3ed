// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Plain loads and stores to the memory of the other PEs, by shmem_ptr; putmem where there is no
// pointer.
#include <shmem.h>
#include <stdio.h>

enum { kRounds = 100, kMostPes = 256 };

static int mail[kMostPes];

static void store(int* word, int value, int pe) {
  int* there = shmem_ptr(word, pe);
  if (there != NULL) {
    *there = value;
  } else {
    shmem_int_p(word, value, pe);
  }
}

static int load(const int* word, int pe) {
  const int* there = shmem_ptr(word, pe);
  return there != NULL ? *there : shmem_int_g(word, pe);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  for (int round = 1; round <= kRounds; ++round) {
    for (int pe = 0; pe < npes; ++pe) store(&mail[me], round * 1000 + me * npes + pe, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; ++pe) {
      if (mail[pe] != round * 1000 + pe * npes + me ||
          load(&mail[me], pe) != round * 1000 + me * npes + pe) {
        fprintf(stderr, "PE %d, round %d: mail of PE %d is %d\n", me, round, pe, mail[pe]);
        shmem_global_exit(1);
      }
    }
    shmem_barrier_all();
  }
  shmem_finalize();
  return 0;
}
