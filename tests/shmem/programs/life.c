// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Conway's life on static arrays: borders are fetched with get, barriers divide the steps.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWidth = 48, kRowsEach = 12, kSteps = 40 };

static char rows[kRowsEach][kWidth];

static int first_value(int i, int j) { return (i * 7 + j * 13 + i * j) % 3 == 0; }

static int neighbours(char (*board)[kWidth], int i, int j) {
  int count = 0;
  for (int di = -1; di <= 1; ++di) {
    for (int dj = -1; dj <= 1; ++dj)
      count += (di || dj) && board[i + di][(j + dj + kWidth) % kWidth];
  }
  return count;
}

/* Of rows between two others that are given. */
static void step(char (*next)[kWidth], char (*board)[kWidth], int count) {
  for (int i = 1; i <= count; ++i) {
    for (int j = 0; j < kWidth; ++j) {
      const int around = neighbours(board, i, j);
      next[i - 1][j] = around == 3 || (around == 2 && board[i][j]);
    }
  }
}

static void parallel_steps(void) {
  static char board[kRowsEach + 2][kWidth];
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  for (int time = 0; time < kSteps; ++time) {
    memcpy(board[1], rows, sizeof rows);
    shmem_char_get(board[0], rows[kRowsEach - 1], kWidth, (me + npes - 1) % npes);
    shmem_char_get(board[kRowsEach + 1], rows[0], kWidth, (me + 1) % npes);
    shmem_barrier_all();
    step(rows, board, kRowsEach);
    shmem_barrier_all();
  }
}

static int is_right(void) {
  const int count = kRowsEach * shmem_n_pes();
  char(*board)[kWidth] = malloc((size_t)(count + 2) * kWidth);
  char(*next)[kWidth] = malloc((size_t)count * kWidth);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < kWidth; ++j) next[i][j] = (char)first_value(i, j);
  }
  for (int time = 0; time < kSteps; ++time) {
    memcpy(board[1], next, (size_t)count * kWidth);
    memcpy(board[0], next[count - 1], kWidth);
    memcpy(board[count + 1], next[0], kWidth);
    step(next, board, count);
  }
  const int right = memcmp(rows, next[shmem_my_pe() * kRowsEach], sizeof rows) == 0;
  free(board);
  free(next);
  return right;
}

int main(void) {
  shmem_init();
  for (int i = 0; i < kRowsEach; ++i) {
    for (int j = 0; j < kWidth; ++j)
      rows[i][j] = (char)first_value(shmem_my_pe() * kRowsEach + i, j);
  }
  shmem_barrier_all();
  parallel_steps();
  if (!is_right()) {
    fprintf(stderr, "PE %d: life went another way\n", shmem_my_pe());
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
