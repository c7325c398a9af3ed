/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Smooths a ring of values: the neighbours' blocks are read in place, through shmem_ptr, and the
 * caches are told about it, as on the machines of old.
 *
 * build: oshcc -O2 direct.c -o direct
 * run: oshrun -n 4 -N 4 ./direct 64
 * prints: PE 3: the sum is kept, ok
 */
#include <math.h>
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 1024

static double field[MOST], next[MOST];
static double sums[2], totals[2], pwrk[2];
static long psync[_SHMEM_REDUCE_SYNC_SIZE];

static double sum(int n) {
  double all = 0;
  int i;
  for (i = 0; i < n; i++) all += field[i];
  return all;
}

static double roughness(int n) {
  double all = 0;
  int i;
  for (i = 1; i < n; i++) all += fabs(field[i] - field[i - 1]);
  return all;
}

static void smooth(int n, const double* left, const double* right) {
  int i;
  for (i = 0; i < n; i++) {
    const double before = i > 0 ? field[i - 1] : left[n - 1];
    const double behind = i < n - 1 ? field[i + 1] : right[0];
    next[i] = 0.25 * before + 0.5 * field[i] + 0.25 * behind;
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 16;
  int me, npes, i, step, wrong;
  double *left, *right, rough;

  start_pes(0);
  me = _my_pe();
  npes = _num_pes();
  shmem_set_cache_inv();
  for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++) psync[i] = _SHMEM_SYNC_VALUE;
  left = shmem_ptr(field, (me + npes - 1) % npes);
  right = shmem_ptr(field, (me + 1) % npes);
  if (left == NULL || right == NULL) {
    fprintf(stderr, "PE %d: the neighbours are on another node\n", me);
    return 1;
  }
  for (i = 0; i < n; i++) field[i] = (i * 37 + me * 11) % 100;
  sums[0] = sum(n);
  rough = roughness(n);
  shmem_barrier_all();
  for (step = 0; step < 50; step++) {
    shmem_udcflush();
    shmem_set_cache_line_inv(left + n - 1);
    smooth(n, left, right);
    shmem_barrier_all();
    for (i = 0; i < n; i++) field[i] = next[i];
    shmem_udcflush_line(&field[0]);
    shmem_barrier_all();
  }
  shmem_clear_cache_inv();
  sums[1] = sum(n);
  shmem_double_sum_to_all(totals, sums, 2, 0, 0, npes, pwrk, psync);
  wrong = fabs(totals[0] - totals[1]) > 1e-6 || roughness(n) > rough / 4;
  printf("PE %d: the sum is %s\n", me, wrong ? "LOST" : "kept, ok");
  return wrong;
}
