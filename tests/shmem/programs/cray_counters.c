// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.2, as for a Cray: short counters, caches that are flushed, an order that goes round
// by broadcasts with two pSync arrays in turn and nothing between them.
#include <mpp/shmem.h>
#include <stdio.h>

enum { kRounds = 300 };

static long sync_words[2][_SHMEM_BCAST_SYNC_SIZE];
static long order, given, done;
static short arrivals;
static unsigned long total;

static void fail(const char* what) {
  fprintf(stderr, "PE %d: %s\n", _my_pe(), what);
  shmem_global_exit(1);
}

int main(void) {
  long i, sum = 0;
  int me, pes;
  start_pes(0);
  me = _my_pe();
  pes = _num_pes();
  shmem_set_cache_inv();
  for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; ++i)
    sync_words[0][i] = sync_words[1][i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  for (i = 1; i <= kRounds; ++i) {
    given = i * i;
    shmem_broadcast64(&order, &given, 1, 0, 0, 0, pes, sync_words[i % 2]);
    if (me == 0) order = given;
    shmem_udcflush_line(&order);
    if (order != i * i) fail("an order came early");
    sum += order;
    shmem_ulong_add(&total, (unsigned long)order, 0);
    shmem_short_inc(&arrivals, 0);
  }
  if (sum != (long)kRounds * (kRounds + 1) * (2 * kRounds + 1) / 6) fail("orders are missing");
  shmem_barrier_all();
  if (me == 0) {
    if (arrivals != (short)(pes * kRounds)) fail("the short counter is wrong");
    if (total != (unsigned long)(pes * sum)) fail("the sum is wrong");
    for (i = 0; i < pes; ++i) shmem_swap(&done, 1, (int)i);
  }
  shmem_wait(&done, 0);
  shmem_clear_cache_inv();
  return 0;
}
