// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.5: sample sort; the counts by alltoall, the keys by put at places that a scan of them
// gives.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kKeys = 3000, kSamples = 32 };

static int npes, me;

static int compare(const void* a, const void* b) {
  const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return (x > y) - (x < y);
}

static void sort(uint32_t* keys, size_t count) { qsort(keys, count, sizeof *keys, compare); }

/* All PEs choose the same borders. */
static void choose_borders(const uint32_t* keys, uint32_t* borders) {
  uint32_t* samples = shmem_malloc((size_t)(npes + 1) * kSamples * sizeof *samples);
  uint32_t* own = samples + npes * kSamples;
  for (int i = 0; i < kSamples; ++i) own[i] = keys[i * (kKeys / kSamples)];
  if (shmem_uint32_fcollect(SHMEM_TEAM_WORLD, samples, own, kSamples) != 0) shmem_global_exit(2);
  sort(samples, (size_t)npes * kSamples);
  for (int pe = 1; pe < npes; ++pe) borders[pe - 1] = samples[pe * kSamples];
  shmem_barrier_all();
  shmem_free(samples);
}

/* How many of the sorted keys go to each PE. */
static void count_parts(const uint32_t* keys, const uint32_t* borders, int* counts) {
  int pe = 0;
  for (int i = 0; i < npes; ++i) counts[i] = 0;
  for (int i = 0; i < kKeys; ++i) {
    while (pe < npes - 1 && keys[i] >= borders[pe]) ++pe;
    ++counts[pe];
  }
}

/* Where in the PEs' blocks this PE's keys begin; returns how many keys this PE gets. */
static int exchange_counts(int* counts, int* begins) {
  int *received = shmem_malloc(4 * (size_t)npes * sizeof *received), *offsets = received + npes;
  int *sent = received + 2 * npes, *places = received + 3 * npes, total = 0;
  for (int i = 0; i < npes; ++i) sent[i] = counts[i];
  if (shmem_int_alltoall(SHMEM_TEAM_WORLD, received, sent, 1) != 0) shmem_global_exit(2);
  for (int i = 0; i < npes; ++i) {
    offsets[i] = total;
    total += received[i];
  }
  if (shmem_int_alltoall(SHMEM_TEAM_WORLD, places, offsets, 1) != 0) shmem_global_exit(2);
  for (int i = 0; i < npes; ++i) begins[i] = places[i];
  shmem_barrier_all();
  shmem_free(received);
  return total;
}

static void send_keys(uint32_t* sorted, const uint32_t* keys, const int* counts,
                      const int* begins) {
  for (int pe = 0; pe < npes; ++pe) {
    shmem_uint32_put_nbi(sorted + begins[pe], keys, (size_t)counts[pe], pe);
    keys += counts[pe];
  }
  shmem_barrier_all();
}

/* Sorted, not below the PE before, and nothing is lost: by number and by sum. */
static int is_right(const uint32_t* sorted, int count, uint64_t sum_before) {
  static uint64_t sums[3], totals[3];
  static uint32_t largest, of_previous;
  sums[0] = (uint64_t)count;
  sums[1] = 0;
  sums[2] = sum_before;
  for (int i = 0; i < count; ++i) {
    sums[1] += sorted[i];
    if (i > 0 && sorted[i] < sorted[i - 1]) return 0;
  }
  largest = count > 0 ? sorted[count - 1] : 0;
  shmem_barrier_all();
  if (me > 0) of_previous = shmem_uint32_g(&largest, me - 1);
  if (shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, totals, sums, 3) != 0) return 0;
  return (count == 0 || sorted[0] >= of_previous) && totals[0] == (uint64_t)npes * kKeys &&
         totals[1] == totals[2];
}

int main(void) {
  shmem_init();
  npes = shmem_n_pes();
  me = shmem_my_pe();
  uint32_t keys[kKeys], state = 12345u + (uint32_t)me * 977u,
                        *borders = malloc((size_t)npes * sizeof *borders);
  int *counts = malloc(2 * (size_t)npes * sizeof *counts), *begins = counts + npes;
  uint64_t sum = 0;
  for (int i = 0; i < kKeys; ++i) sum += keys[i] = (state = state * 1664525u + 1013904223u) >> 4;
  sort(keys, kKeys);
  choose_borders(keys, borders);
  count_parts(keys, borders, counts);
  const int total = exchange_counts(counts, begins);
  uint32_t* sorted = shmem_malloc((size_t)npes * kKeys * sizeof *sorted);
  send_keys(sorted, keys, counts, begins);
  sort(sorted, (size_t)total);
  if (!is_right(sorted, total, sum)) {
    fprintf(stderr, "PE %d: not sorted\n", me);
    shmem_global_exit(1);
  }
  free(borders);
  free(counts);
  shmem_finalize();
  return 0;
}
