// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A histogram that no PE holds alone: the bins lie on all PEs in turn, and each PE counts its own
// numbers in them by atomic increments. No PE takes part in what others count on it.
//
//   oshcc -O2 histogram.c -o histogram && oshrun -n 4 ./histogram

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { kBinsOfPe = 64, kNumbersOfPe = 1000000 };

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/// A pseudo-random number (splitmix64).
static uint64_t next_random(uint64_t* state) {
  uint64_t mixed = *state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

static long sum_of(const long* values, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  long* bins = shmem_calloc(kBinsOfPe, sizeof *bins);
  long* sums = shmem_calloc(2, sizeof *sums);  // of this PE, of all

  const double begin = seconds();
  uint64_t state = (uint64_t)me << 32;
  for (int i = 0; i < kNumbersOfPe; ++i) {
    const uint64_t bin = next_random(&state) % (uint64_t)(kBinsOfPe * pes);
    shmem_long_atomic_inc(&bins[bin / (uint64_t)pes], (int)(bin % (uint64_t)pes));
  }
  shmem_barrier_all();  // all have counted
  const double taken = seconds() - begin;

  sums[0] = sum_of(bins, kBinsOfPe);
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sums[1], &sums[0], 1);
  const long expected = (long)kNumbersOfPe * pes, counted = sums[1];
  if (me == 0)
    printf("histogram: %d PEs, %ld numbers in %d bins, %.0f million a second; %s\n", pes, counted,
           kBinsOfPe * pes, (double)counted / taken / 1e6,
           counted == expected ? "none is lost" : "WRONG");
  shmem_free(sums);
  shmem_free(bins);
  shmem_finalize();
  return counted == expected ? 0 : 1;
}
