// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Random updates of a table that all PEs share. Each is made twice: all words are 0 again.
// build: oshcc -std=c11 -O2 gups.c -o gups -lm
// run: oshrun -np 4 --bind-to core ./gups 1024 2000
// prints: table of 4096 words (2^12), 16000 updates: ok
#include <math.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next(uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

static void update(uint64_t* table, uint64_t words, long updates, shmem_ctx_t ctx) {
  uint64_t x = 77 + (uint64_t)shmem_my_pe();
  const uint64_t pes = (uint64_t)shmem_n_pes();
  for (long i = 0; i < updates; ++i) {
    x = next(x);
    const uint64_t at = (x >> 20) % (words * pes);
    shmem_atomic_xor(ctx, &table[at % words], x, (int)(at / words));
  }
  shmem_ctx_quiet(ctx);
}

static long count_nonzero(const uint64_t* table, uint64_t words) {
  long found = 0;
  for (uint64_t i = 0; i < words; ++i) found += table[i] != 0;
  return found;
}

int main(int argc, char** argv) {
  static long wrong, all_wrong, used, least_used;
  const uint64_t words = argc > 1 ? strtoull(argv[1], NULL, 10) : 1024;
  const long updates = argc > 2 ? atol(argv[2]) : 1000;
  shmem_ctx_t ctx;

  shmem_init();
  uint64_t* table = shmem_calloc(words, sizeof *table);
  if (table == NULL || shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) != 0) shmem_global_exit(2);

  update(table, words, updates, ctx);
  shmem_barrier_all();
  used = count_nonzero(table, words);
  shmem_min_reduce(SHMEM_TEAM_WORLD, &least_used, &used, 1);
  update(table, words, updates, ctx);
  shmem_barrier_all();
  wrong = count_nonzero(table, words);
  shmem_sum_reduce(SHMEM_TEAM_WORLD, &all_wrong, &wrong, 1);

  const double all = (double)words * shmem_n_pes();
  const int is_right = all_wrong == 0 && least_used > 0;
  if (shmem_my_pe() == 0)
    printf("table of %.0f words (2^%.0f), %ld updates: %s\n", all, log2(all),
           2 * updates * shmem_n_pes(), is_right ? "ok" : "WRONG");
  shmem_ctx_destroy(ctx);
  shmem_free(table);
  shmem_finalize();
  return is_right ? 0 : 1;
}
