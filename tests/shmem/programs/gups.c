// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Giga updates per second: random words of a distributed table are changed, twice, so that they are
// as before.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { kWordsEach = 1 << 12, kUpdatesEach = 20000 };

static uint64_t* table;

static uint64_t next_random(uint64_t value) { return (value << 1) ^ ((int64_t)value < 0 ? 7 : 0); }

/* Updates that are lost would be seen: the second pass undoes the first. */
static void update(uint64_t value) {
  const uint64_t words = (uint64_t)kWordsEach * (uint64_t)shmem_n_pes();
  for (int i = 0; i < kUpdatesEach; ++i) {
    value = next_random(value);
    const uint64_t word = (value >> 3) % words;
    shmem_uint64_atomic_xor(&table[word % kWordsEach], value, (int)(word / kWordsEach));
  }
}

static int errors(void) {
  int count = 0;
  for (uint64_t i = 0; i < kWordsEach; ++i) count += table[i] != i;
  return count;
}

int main(void) {
  shmem_init();
  const uint64_t seed = 0x123456789abcdefULL * (uint64_t)(2 * shmem_my_pe() + 1);
  table = shmem_malloc(kWordsEach * sizeof *table);
  for (uint64_t i = 0; i < kWordsEach; ++i) table[i] = i;
  shmem_barrier_all();
  update(seed);
  shmem_barrier_all();
  const int changed = errors();
  shmem_barrier_all();
  update(seed);
  shmem_barrier_all();
  if (errors() != 0 || changed < kWordsEach / 2) {
    fprintf(stderr, "PE %d: %d words were changed, %d are wrong\n", shmem_my_pe(), changed,
            errors());
    shmem_global_exit(1);
  }
  shmem_free(table);
  shmem_finalize();
  return 0;
}
