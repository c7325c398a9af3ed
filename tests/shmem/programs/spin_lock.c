// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.2: mutual exclusion of its own by compare-and-swap, beside the library's locks.
#include <shmem.h>
#include <stdio.h>

enum { kTimes = 200 };

static int owner = -1, counter = 0;
static long lock = 0, locked_counter = 0;

static void enter(int me) {
  while (shmem_int_cswap(&owner, -1, me, 0) != -1) {
  }
}

static void leave(void) {
  shmem_quiet();
  shmem_int_swap(&owner, -1, 0);
}

int main(void) {
  start_pes(0);
  const int me = _my_pe(), npes = _num_pes();
  for (int time = 0; time < kTimes; ++time) {
    enter(me);
    shmem_int_p(&counter, shmem_int_g(&counter, 0) + 1, 0);
    leave();
    shmem_set_lock(&lock);
    shmem_long_p(&locked_counter, shmem_long_g(&locked_counter, 0) + 1, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  if (shmem_int_g(&counter, 0) != kTimes * npes ||
      shmem_long_g(&locked_counter, 0) != kTimes * npes) {
    fprintf(stderr, "%d and %ld\n", shmem_int_g(&counter, 0), shmem_long_g(&locked_counter, 0));
    shmem_global_exit(1);
  }
  return 0;
}
