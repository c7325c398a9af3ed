/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Laplace's equation by Jacobi's method, in strips of rows; the largest change of all PEs decides.
 *
 * build: oshcc -std=c99 -O2 -o laplace laplace.c -lm
 * run: oshrun -np 4 --map-by core --report-bindings --mca spml ucx ./laplace 6 1e-4
 * prints: converged: the middle is 25.0, ok
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define COLS 24

static double maxdiff, alldiff;
static double pWrk[2][_SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
static long pSync[2][_SHMEM_REDUCE_SYNC_SIZE];

static double sweep(double* to, const double* from, int rows) {
  double most = 0;
  for (int i = 1; i <= rows; i++)
    for (int j = 1; j <= COLS; j++) {
      const int at = i * (COLS + 2) + j;
      to[at] = (from[at - 1] + from[at + 1] + from[at - COLS - 2] + from[at + COLS + 2]) / 4;
      most = fmax(most, fabs(to[at] - from[at]));
    }
  return most;
}

/* All four edges have 25 degrees: so has the inside in the end. */
static double* make_strip(int rows) {
  const size_t size = (size_t)(rows + 2) * (COLS + 2);
  double* strip = shmem_malloc(size * sizeof(double));
  for (size_t i = 0; i < size; i++) strip[i] = 0;
  for (int i = 0; i < rows + 2; i++) strip[i * (COLS + 2)] = strip[i * (COLS + 2) + COLS + 1] = 25;
  for (int j = 0; j < COLS + 2; j++) {
    if (shmem_my_pe() == 0) strip[j] = 25;
    if (shmem_my_pe() == shmem_n_pes() - 1) strip[(rows + 1) * (COLS + 2) + j] = 25;
  }
  return strip;
}

int main(int argc, char** argv) {
  const int rows = argc > 1 ? atoi(argv[1]) : 10;
  const double limit = argc > 2 ? atof(argv[2]) : 1e-3;
  double middle;
  int steps = 0, i, wrong;

  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++) pSync[0][i] = pSync[1][i] = _SHMEM_SYNC_VALUE;
  double *now = make_strip(rows), *then = make_strip(rows);
  shmem_barrier_all();

  do {
    double* const swap = now;
    if (me > 0) shmem_double_put(&now[(rows + 1) * (COLS + 2) + 1], &now[COLS + 3], COLS, me - 1);
    if (me < npes - 1) shmem_double_put(&now[1], &now[rows * (COLS + 2) + 1], COLS, me + 1);
    shmem_barrier_all();
    maxdiff = sweep(then, now, rows);
    shmem_double_max_to_all(&alldiff, &maxdiff, 1, 0, 0, npes, pWrk[steps % 2], pSync[steps % 2]);
    now = then;
    then = swap;
    steps++;
  } while (alldiff > limit && steps < 20000);

  middle = now[rows / 2 * (COLS + 2) + COLS / 2];
  wrong = steps == 20000 || fabs(middle - 25) > 0.04;
  printf("PE %d: %d steps\n", me, steps);
  if (me == 0) printf("converged: the middle is %.1f, %s\n", middle, wrong ? "WRONG" : "ok");
  shmem_finalize();
  return wrong;
}
