// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// N queens: PEs take first rows from a shared counter, and add up what they find.
#include <shmem.h>
#include <stdio.h>

enum { kQueens = 9, kSolutions = 352 };

static int next_start = 0;
static long found = 0, total = 0;
static long sync_words[SHMEM_REDUCE_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];

/* Bits: columns and diagonals that are taken. */
static long place(int row, unsigned columns, unsigned left, unsigned right) {
  if (row == kQueens) return 1;
  long solutions = 0;
  for (int column = 0; column < kQueens; ++column) {
    const unsigned bit = 1u << column;
    if ((columns | left | right) & bit) continue;
    solutions += place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return solutions;
}

int main(void) {
  shmem_init();
  for (;;) {
    const int start = shmem_int_atomic_fetch_inc(&next_start, 0);
    if (start >= kQueens * kQueens) break;
    const unsigned first = 1u << start / kQueens, second = 1u << start % kQueens;
    if ((first | first << 1 | first >> 1) & second) continue;
    found += place(2, first | second, (first << 1 | second) << 1, (first >> 1 | second) >> 1);
  }
  shmem_long_sum_to_all(&total, &found, 1, 0, 0, shmem_n_pes(), work, sync_words);
  if (total != kSolutions) {
    fprintf(stderr, "%ld solutions\n", total);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
