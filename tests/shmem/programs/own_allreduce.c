// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.3: recursive doubling by put, fence and flag, for any number of PEs.
#include <shmem.h>
#include <stdio.h>

enum { kCount = 64, kLevels = 10, kRounds = 100 };

static long long values[kCount], arrived_values[2][kLevels][kCount];
static long flags[kLevels];

static void send(int level, int to, long round) {
  shmem_longlong_put(arrived_values[round % 2][level], values, kCount, to);
  shmem_fence();
  shmem_long_p(&flags[level], round, to);
}

static void add(int level, long round) {
  shmem_long_wait_until(&flags[level], SHMEM_CMP_GE, round);
  for (int i = 0; i < kCount; ++i) values[i] += arrived_values[round % 2][level][i];
}

static void take(int level, long round) {
  shmem_long_wait_until(&flags[level], SHMEM_CMP_GE, round);
  for (int i = 0; i < kCount; ++i) values[i] = arrived_values[round % 2][level][i];
}

/* Those beyond the largest power of two give theirs to a partner, and get the result from it. */
static void all_reduce(long round) {
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  int power = 1, level = 1;
  while (2 * power <= npes) power *= 2;
  if (me >= power) {
    send(0, me - power, round);
    take(kLevels - 1, round);
    return;
  }
  if (me + power < npes) add(0, round);
  for (int bit = 1; bit < power; bit *= 2, ++level) {
    send(level, me ^ bit, round);
    add(level, round);
  }
  if (me + power < npes) send(kLevels - 1, me + power, round);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  for (long round = 1; round <= kRounds; ++round) {
    for (int i = 0; i < kCount; ++i) values[i] = me * round + i;
    all_reduce(round);
    for (int i = 0; i < kCount; ++i) {
      if (values[i] == round * npes * (npes - 1) / 2 + (long long)npes * i) continue;
      fprintf(stderr, "PE %d, round %ld: %lld\n", me, round, values[i]);
      shmem_global_exit(1);
    }
    shmem_barrier_all();
  }
  shmem_finalize();
  return 0;
}
