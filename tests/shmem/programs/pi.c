// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Pi by the midpoint rule, three ways to add up: reduction, lock, atomic addition of whole numbers.
#include <math.h>
#include <shmem.h>
#include <stdio.h>

enum { kIntervals = 100000 };

static double part, total, locked_total;
static long lock, scaled_total;

static double sum_of(int me, int npes) {
  double sum = 0;
  for (int i = me; i < kIntervals; i += npes) {
    const double x = (i + 0.5) / kIntervals;
    sum += 4 / (1 + x * x);
  }
  return sum / kIntervals;
}

static void require_pi(const char* way, double value, double error) {
  if (fabs(value - 3.14159265358979) < error) return;
  fprintf(stderr, "%s gives %.15f\n", way, value);
  shmem_global_exit(1);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  part = sum_of(me, npes);
  if (shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &total, &part, 1) != 0) shmem_global_exit(2);
  shmem_set_lock(&lock);
  shmem_double_p(&locked_total, shmem_double_g(&locked_total, 0) + part, 0);
  shmem_clear_lock(&lock);
  shmem_long_atomic_add(&scaled_total, (long)(part * 1e12), 0);
  shmem_barrier_all();
  require_pi("the reduction", total, 1e-9);
  require_pi("the lock", shmem_double_g(&locked_total, 0), 1e-9);
  require_pi("the atomic addition", (double)shmem_long_atomic_fetch(&scaled_total, 0) / 1e12, 1e-9);
  shmem_finalize();
  return 0;
}
