/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Two groups of PEs work each at its own pace, with barriers, collections and broadcasts of their
 * own, whose arrays take turns; at the end the even ones hand over to the odd ones.
 *
 * build: oshcc -std=c99 two_groups.c -o two_groups
 * run: oshrun -n 4 --map-by core --bind-to none ./two_groups
 * prints: even group: 30 steps, ok
 * prints: odd group: 12 steps, ok
 * prints: handed over: ok
 */
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 64

static long row[MOST], result[1], mine[1];
static long first[1], given[1];
static long bar_sync[2][_SHMEM_BARRIER_SYNC_SIZE];
static long col_sync[2][_SHMEM_COLLECT_SYNC_SIZE];
static long bcast_sync[2][_SHMEM_BCAST_SYNC_SIZE];
static volatile long from_even = 0;

static void prepare(void) {
  int i;
  for (i = 0; i < _SHMEM_BARRIER_SYNC_SIZE; i++)
    bar_sync[0][i] = bar_sync[1][i] = _SHMEM_SYNC_VALUE;
  for (i = 0; i < _SHMEM_COLLECT_SYNC_SIZE; i++)
    col_sync[0][i] = col_sync[1][i] = _SHMEM_SYNC_VALUE;
  for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++)
    bcast_sync[0][i] = bcast_sync[1][i] = _SHMEM_SYNC_VALUE;
}

/* Each PE of a group adds up what all have; the first one says what comes next. */
static int step(int number, int start, int size) {
  long sum = 0, expected = 0;
  int i;
  mine[0] = (_my_pe() + 1) * (result[0] + 1);
  shmem_barrier(start, 1, size, bar_sync[0]);
  shmem_fcollect64(row, mine, 1, start, 1, size, col_sync[number % 2]);
  for (i = 0; i < size; i++) {
    sum += row[i];
    expected += (start + 2 * i + 1) * (result[0] + 1);
  }
  given[0] = number % 3;
  first[0] = number % 3;
  shmem_barrier(start, 1, size, bar_sync[1]);
  shmem_broadcast64(first, given, 1, 0, start, 1, size, bcast_sync[number % 2]);
  result[0] = first[0];
  return sum != expected || first[0] != number % 3;
}

int main(void) {
  int me, npes, is_odd, size, steps, i, wrong = 0;
  start_pes(0);
  me = _my_pe();
  npes = _num_pes();
  is_odd = me % 2;
  size = is_odd ? npes / 2 : (npes + 1) / 2;
  steps = is_odd ? 12 : 30;
  prepare();
  shmem_barrier_all();

  for (i = 0; i < steps; i++) wrong += step(i, is_odd, size);
  if (me < 2)
    printf("%s group: %d steps, %s\n", is_odd ? "odd" : "even", steps, wrong ? "WRONG" : "ok");
  if (is_odd) {
    shmem_wait(&from_even, 0);
    wrong += from_even != me + 1000;
  } else if (me + 1 < npes) {
    shmem_long_p((long*)&from_even, me + 1001, me + 1);
  }
  if (me == 1) printf("handed over: %s\n", wrong ? "WRONG" : "ok");
  fflush(stdout);
  shmem_barrier_all();
  if (wrong) shmem_global_exit(1);
  return 0;
}
