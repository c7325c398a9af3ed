// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Sorts keys that lie on all PEs, by one byte after the other.
// build: oshcc -std=c11 radix_sort.c -o radix_sort
// run: SHMEM_SYMMETRIC_SIZE=64M oshrun -np 4 ./radix_sort 700
// prints: 2800 keys are in order: ok
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kDigits = 256, kMostPes = 64 };

static int own_counts[kDigits], counts[kMostPes][kDigits];
static uint64_t sums[2], all_sums[2];

static int digit(uint32_t key, int pass) { return (int)(key >> (8 * pass)) & (kDigits - 1); }

static void count(const uint32_t* keys, int n, int pass) {
  for (int d = 0; d < kDigits; ++d) own_counts[d] = 0;
  for (int i = 0; i < n; ++i) ++own_counts[digit(keys[i], pass)];
  shmem_fcollect(SHMEM_TEAM_WORLD, &counts[0][0], own_counts, kDigits);
}

/* The places of my first key of each digit, in the keys of all PEs. */
static void find_places(int* place) {
  int next = 0;
  for (int d = 0; d < kDigits; ++d)
    for (int pe = 0; pe < shmem_n_pes(); ++pe) {
      if (pe == shmem_my_pe()) place[d] = next;
      next += counts[pe][d];
    }
}

static void sort(uint32_t* keys, uint32_t* other, int n) {
  int place[kDigits];
  for (int pass = 0; pass < 4; ++pass) {
    count(keys, n, pass);
    find_places(place);
    for (int i = 0; i < n; ++i) {
      const int at = place[digit(keys[i], pass)]++;
      shmem_p(&other[at % n], keys[i], at / n);
    }
    shmem_barrier_all();
    uint32_t* const swapped = keys;
    keys = other;
    other = swapped;
  }
}

static int is_sorted(const uint32_t* keys, int n) {
  const int me = shmem_my_pe();
  for (int i = 1; i < n; ++i)
    if (keys[i - 1] > keys[i]) return 0;
  return me == 0 || shmem_g(&keys[n - 1], me - 1) <= keys[0];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 100;
  static int is_wrong, any_wrong;
  shmem_init();
  uint32_t* keys = shmem_malloc((size_t)n * sizeof *keys);
  uint32_t* other = shmem_align(64, (size_t)n * sizeof *keys);
  if (keys == NULL || other == NULL) shmem_global_exit(2);
  uint32_t x = 2463534242u + (uint32_t)shmem_my_pe();
  for (int i = 0; i < n; ++i) {
    x = x * 1664525u + 1013904223u;
    keys[i] = x;
    sums[0] += x;
  }
  sort(keys, other, n);
  for (int i = 0; i < n; ++i) sums[1] += keys[i];
  shmem_sum_reduce(SHMEM_TEAM_WORLD, all_sums, sums, 2);
  is_wrong = !is_sorted(keys, n) || all_sums[0] != all_sums[1];
  shmem_max_reduce(SHMEM_TEAM_WORLD, &any_wrong, &is_wrong, 1);
  if (shmem_my_pe() == 0)
    printf("%d keys are in order: %s\n", n * shmem_n_pes(), any_wrong ? "NO" : "ok");
  shmem_free(other);
  shmem_free(keys);
  shmem_finalize();
  return any_wrong;
}
