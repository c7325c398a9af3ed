// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.4: heat in a rod; neighbours put their borders, flags say when.
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCells = 40, kSteps = 200 };

/* Of each step parity: own cells between two borders. */
static double cells[2][kCells + 2];
static long left_arrived = -1, right_arrived = -1;

static double first_value(int cell) { return cell % 17 == 3 ? 100.0 : cell * 0.25; }

static double step_of(const double* at) { return at[0] + 0.2 * (at[-1] - 2 * at[0] + at[1]); }

static void send_borders(int step) {
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  double* now = cells[step % 2];
  if (me > 0) {
    shmem_double_p(&now[kCells + 1], now[1], me - 1);
    shmem_fence();
    shmem_long_p(&right_arrived, step, me - 1);
  }
  if (me < npes - 1) {
    shmem_double_p(&now[0], now[kCells], me + 1);
    shmem_fence();
    shmem_long_p(&left_arrived, step, me + 1);
  }
  if (me > 0) shmem_long_wait_until(&left_arrived, SHMEM_CMP_GE, step);
  if (me < npes - 1) shmem_long_wait_until(&right_arrived, SHMEM_CMP_GE, step);
}

/* The ends of the rod stay at 0. */
static void serial(double* rod, int count) {
  double* next = calloc((size_t)count + 2, sizeof *next);
  for (int step = 0; step < kSteps; ++step) {
    for (int i = 1; i <= count; ++i) next[i] = step_of(&rod[i]);
    for (int i = 1; i <= count; ++i) rod[i] = next[i];
  }
  free(next);
}

static int is_right(void) {
  const int count = kCells * shmem_n_pes(), first = kCells * shmem_my_pe();
  double* rod = calloc((size_t)count + 2, sizeof *rod);
  int right = 1;
  for (int i = 0; i < count; ++i) rod[i + 1] = first_value(i);
  serial(rod, count);
  for (int i = 1; i <= kCells; ++i) right &= fabs(cells[kSteps % 2][i] - rod[first + i]) < 1e-9;
  free(rod);
  return right;
}

int main(void) {
  shmem_init();
  for (int i = 0; i < kCells; ++i) cells[0][i + 1] = first_value(kCells * shmem_my_pe() + i);
  shmem_barrier_all();
  for (int step = 0; step < kSteps; ++step) {
    send_borders(step);
    for (int i = 1; i <= kCells; ++i) cells[(step + 1) % 2][i] = step_of(&cells[step % 2][i]);
  }
  if (!is_right()) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
