// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A token goes around: each PE waits for it, adds one and puts it into the next PE's memory.
//
//   oshcc -O2 ring.c -o ring && oshrun -n 4 ./ring

#include <shmem.h>
#include <stdio.h>
#include <time.h>

enum { kRounds = 10000 };

// A static variable is symmetric: each PE has one, and the others reach it by its name.
static long token = 0;

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int next = (me + 1) % pes;

  shmem_barrier_all();
  const double begin = seconds();
  for (long hops = 0; hops < (long)kRounds * pes; hops += pes) {  // when the token leaves PE 0
    if (me == 0) shmem_long_p(&token, hops + 1, next);
    shmem_long_wait_until(&token, SHMEM_CMP_EQ, hops + (me == 0 ? pes : me));
    if (me != 0) shmem_long_p(&token, token + 1, next);
  }
  const double taken = seconds() - begin;

  if (me == 0)
    printf("ring: %d PEs, %d rounds, %ld hops of %.2f us\n", pes, kRounds, token,
           taken / (double)token * 1e6);
  shmem_finalize();
  return 0;
}
