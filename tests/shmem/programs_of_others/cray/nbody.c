/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Bodies attract each other; their places are collected in each step, the numbers of bodies differ
 * from PE to PE. Momentum is kept, added up in long double.
 *
 * build: oshcc -std=c99 -O2 nbody.c -lm -o nbody
 * run: oshrun -n 4 ./nbody 20
 * prints: 38 bodies, 20 steps: momentum and energy are kept, ok
 */
#include <math.h>
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 256 };

static double all[4 * kMost], own[4 * kMost], speed[3 * kMost];
static long double part[4], total[2][4], wrk[4 + _SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long psync[2][_SHMEM_COLLECT_SYNC_SIZE], rsync[2][_SHMEM_REDUCE_SYNC_SIZE];
static int counts[2][1], iwrk[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static double distance(const double* a, const double* b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z + 0.01);
}

static void pull(int mine, int n, double dt) {
  for (int i = 0; i < mine; i++)
    for (int j = 0; j < n; j++) {
      const double r = distance(&own[4 * i], &all[4 * j]);
      for (int d = 0; d < 3; d++)
        speed[3 * i + d] += dt * all[4 * j + 3] * (all[4 * j + d] - own[4 * i + d]) / (r * r * r);
    }
}

/* The momentum in three directions, and the energy. */
static void measure(int mine, int n, long double* result, long* sync) {
  for (int d = 0; d < 4; d++) part[d] = 0;
  for (int i = 0; i < mine; i++) {
    const double mass = own[4 * i + 3];
    for (int d = 0; d < 3; d++) {
      part[d] += mass * speed[3 * i + d];
      part[3] += mass * speed[3 * i + d] * speed[3 * i + d] / 2;
    }
    for (int j = 0; j < n; j++) {
      /* Each pair is there twice; a body and itself add a constant. */
      part[3] -= mass * all[4 * j + 3] / distance(&own[4 * i], &all[4 * j]) / 2;
    }
  }
  shmem_longdouble_sum_to_all(result, part, 4, 0, 0, _num_pes(), wrk, sync);
}

static void collect(int mine, int step) {
  shmem_collect64(all, own, 4 * mine, 0, 0, _num_pes(), psync[step % 2]);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 10;
  const double dt = 0.001;
  int me, mine, n, i, wrong = 0;
  start_pes(0);
  me = _my_pe();
  mine = counts[0][0] = 8 + me;
  for (i = 0; i < _SHMEM_COLLECT_SYNC_SIZE; i++) psync[0][i] = psync[1][i] = _SHMEM_SYNC_VALUE;
  for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++) rsync[0][i] = rsync[1][i] = _SHMEM_SYNC_VALUE;
  for (i = 0; i < 4 * mine; i++) own[i] = i % 4 == 3 ? 1 + i % 5 : (i * 31 + me * 17) % 23 / 5.0;
  shmem_barrier_all();
  shmem_int_sum_to_all(counts[1], counts[0], 1, 0, 0, _num_pes(), iwrk, rsync[1]);
  n = counts[1][0];
  collect(mine, 0);
  shmem_barrier_all();
  measure(mine, n, total[0], rsync[0]);
  for (int step = 1; step <= steps; step++) {
    pull(mine, n, dt);
    for (i = 0; i < mine; i++)
      for (int d = 0; d < 3; d++) own[4 * i + d] += dt * speed[3 * i + d];
    shmem_barrier_all();
    collect(mine, step);
  }
  measure(mine, n, total[1], rsync[1]);
  for (int d = 0; d < 3; d++) wrong += fabsl(total[1][d]) > 1e-9L;
  wrong += fabsl(total[1][3] - total[0][3]) > 0.01L * fabsl(total[0][3]) || total[0][3] >= 0;
  if (me == 0)
    printf("%d bodies, %d steps: momentum and energy are %s\n", n, steps,
           wrong ? "LOST" : "kept, ok");
  return wrong != 0;
}
