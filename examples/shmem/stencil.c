// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Heat spreads over a plate: each point becomes the mean of its four neighbours. Each PE has some
// rows, and copies of the row above and of the row below, which their PEs put there after each
// step; a signal with each put says which step it is of. At the end PE 0 computes the same alone.
//
//   oshcc -O2 stencil.c -o stencil && oshrun -n 4 ./stencil

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kRows = 64, kColumns = 256, kSteps = 1000 };
typedef double Row[kColumns];

// Symmetric: the plate before and after a step, in turn. Rows 0 and kRows + 1 are the copies.
static Row plate[2][kRows + 2];
static uint64_t from_above, from_below;

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void compute(Row* after, Row* before, int rows) {
  for (int row = 1; row <= rows; ++row)
    for (int x = 1; x < kColumns - 1; ++x)
      after[row][x] = 0.25 * (before[row - 1][x] + before[row + 1][x] + before[row][x - 1] +
                              before[row][x + 1]);
}

/// The edge above is hot.
static void heat(Row* above) {
  for (int x = 0; x < kColumns; ++x) (*above)[x] = 1;
}

/// A step of this PE. Its neighbours have read the rows that it puts now: they signalled the step
/// before, which it has waited for.
static void step(uint64_t number, int me, int pes) {
  Row *const before = plate[(number - 1) % 2], *const after = plate[number % 2];
  compute(after, before, kRows);
  if (me > 0)
    shmem_double_put_signal(after[kRows + 1], after[1], kColumns, &from_below, number,
                            SHMEM_SIGNAL_SET, me - 1);
  if (me < pes - 1)
    shmem_double_put_signal(after[0], after[kRows], kColumns, &from_above, number, SHMEM_SIGNAL_SET,
                            me + 1);
  if (me > 0) shmem_signal_wait_until(&from_above, SHMEM_CMP_GE, number);
  if (me < pes - 1) shmem_signal_wait_until(&from_below, SHMEM_CMP_GE, number);
}

/// What one process computes; row 0 is the edge above.
static Row* computed_alone(int rows) {
  Row *before = calloc((size_t)rows + 2, sizeof(Row)),
      *after = calloc((size_t)rows + 2, sizeof(Row));
  heat(&before[0]);
  heat(&after[0]);
  for (int number = 0; number < kSteps; ++number) {
    compute(after, before, rows);
    Row* const swapped = before;
    before = after;
    after = swapped;
  }
  free(after);
  return before;
}

static int is_equal_everywhere(int pes) {
  Row* const expected = computed_alone(kRows * pes);
  static Row found[kRows];
  int is_equal = 1;
  for (int pe = 0; pe < pes; ++pe) {
    shmem_getmem(found, plate[kSteps % 2][1], sizeof found, pe);
    is_equal &= memcmp(found, expected[pe * kRows + 1], sizeof found) == 0;
  }
  free(expected);
  return is_equal;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  if (me == 0)
    for (int i = 0; i < 2; ++i) heat(&plate[i][0]);

  shmem_barrier_all();
  const double begin = seconds();
  for (uint64_t number = 1; number <= kSteps; ++number) step(number, me, pes);
  shmem_barrier_all();
  const double taken = seconds() - begin;

  int is_right = 1;
  if (me == 0) {
    is_right = is_equal_everywhere(pes);
    printf("stencil: %d PEs, %d x %d points, %d steps of %.1f us; %s\n", pes, kRows * pes, kColumns,
           kSteps, taken / kSteps * 1e6, is_right ? "as one process computes it" : "WRONG");
  }
  shmem_finalize();
  return is_right ? 0 : 1;
}
