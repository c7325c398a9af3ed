// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// dgemm: C += A B, of square matrices of which each PE has a block. In turn the PEs of a column
// give some columns of A to those of their row, and the PEs of a row some rows of B to those of
// their column. usage: dgemm [--json] ITERATIONS ORDER

#include "panels.h"
#include "program.h"

enum { WIDEST = 64 };  // of a panel: it stays in the cache

struct matrices {
  long order;
  int grid_columns, grid_rows;  // of PEs
  long width, height;           // of the own block
  long depth;                   // columns of a panel of A, rows of one of B
  double* a;
  double* b;
  double* c;
};

static long largest_divisor_of_both(long one, long other) {
  long divisor = one < WIDEST ? one : WIDEST;
  while (one % divisor != 0 || other % divisor != 0) divisor--;
  return divisor;
}

static void fill(struct matrices* matrices) {
  const long first_column = world_me() % matrices->grid_columns * matrices->width;
  const long width = matrices->width, elements = width * matrices->height;
  matrices->a = new_doubles((size_t)elements);
  matrices->b = new_doubles((size_t)elements);
  matrices->c = new_doubles((size_t)elements);
  for (long i = 0; i < elements; i++)
    matrices->a[i] = matrices->b[i] = (double)(first_column + i % width);
}

// Of the block: some columns of A, one row after the other.
static void pack_columns(const struct matrices* matrices, long first, double* packed) {
  for (long row = 0; row < matrices->height; row++)
    memcpy(packed + row * matrices->depth, matrices->a + row * matrices->width + first,
           (size_t)matrices->depth * sizeof(double));
}

static void pack_rows(const struct matrices* matrices, long first, double* packed) {
  memcpy(packed, matrices->b + first * matrices->width,
         (size_t)(matrices->depth * matrices->width) * sizeof(double));
}

static void multiply(const struct matrices* matrices, const double* restrict left,
                     const double* restrict right) {
  const long width = matrices->width, depth = matrices->depth;
  for (long row = 0; row < matrices->height; row++) {
    double* restrict c = matrices->c + row * width;
    for (long k = 0; k < depth; k++) {
      const double factor = left[row * depth + k];
      for (long column = 0; column < width; column++)
        c[column] += factor * right[k * width + column];
    }
  }
}

static void step(const struct matrices* matrices, struct panels* panels) {
  for (long first = 0; first < matrices->order; first += matrices->depth) {
    const int column = (int)(first / matrices->width), row = (int)(first / matrices->height);
    panels_next(panels);
    if (panels->column == column) pack_columns(matrices, first % matrices->width, panels->own_left);
    if (panels->row == row) pack_rows(matrices, first % matrices->height, panels->own_right);
    panels_exchange(panels, column, row);
    multiply(matrices, panels->left, panels->right);
  }
}

static double run(const struct matrices* matrices, struct panels* panels, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(matrices, panels);
  return timing.seconds;
}

static double sum_of(const struct matrices* matrices) {
  double sum = 0;
  for (long i = 0; i < matrices->width * matrices->height; i++) sum += matrices->c[i];
  return world_total(sum);
}

// Whether all PEs have blocks of one size; else it has been refused.
static bool is_shared_out(struct matrices* matrices) {
  const int pes = world_pes();
  matrices->grid_columns = columns_of(pes);
  matrices->grid_rows = pes / matrices->grid_columns;
  long step = matrices->grid_rows;  // the least number that both divide
  while (step % matrices->grid_columns != 0) step += matrices->grid_rows;
  matrices->width = matrices->order / matrices->grid_columns;
  matrices->height = matrices->order / matrices->grid_rows;
  if (matrices->order % step == 0) return true;
  const long below = matrices->order / step * step;
  if (below == 0)
    refuse("order %ld is not divisible by %ld, for %d PEs: %ld would do", matrices->order, step,
           pes, step);
  else
    refuse("order %ld is not divisible by %ld, for %d PEs: %ld or %ld would do", matrices->order,
           step, pes, below, below + step);
  return false;
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  struct matrices matrices = {0};
  long iterations;
  if (argc != 3) return refuse("usage: dgemm [--json] ITERATIONS ORDER");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("ORDER", argv[2], 2, &matrices.order) || !is_shared_out(&matrices))
    return WRONG_ARGUMENTS;
  matrices.depth = largest_divisor_of_both(matrices.width, matrices.height);
  fill(&matrices);
  struct panels panels = {.grid_columns = matrices.grid_columns,
                          .left_count = (size_t)(matrices.height * matrices.depth),
                          .right_count = (size_t)(matrices.depth * matrices.width)};
  panels_open(&panels);
  const double seconds = run(&matrices, &panels, iterations);
  const double order = (double)matrices.order, cube = order * order * order;
  const struct result result = {
      .kernel = "dgemm",
      .sizes = {{"order", matrices.order}},
      .unit = "MFlop/s",
      .iterations = iterations,
      .work = 2 * cube * 1e-6,
      .seconds = seconds,
      .found = sum_of(&matrices),
      .expected = cube * (order - 1) * (order - 1) / 4 * ((double)iterations + 1)};
  const int status = report(&result, json);
  panels_close(&panels);
  return status;
}
