// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// transpose: B += A^T; A += 1, of square matrices of which each PE has some columns.
// usage: transpose [--json] ITERATIONS ORDER [alltoall|get]

#include "blocks_exchange.h"
#include "program.h"

enum { TILE = 32 };  // rows and columns of what stays in the cache

// The columns of this PE, each of them contiguous.
struct matrices {
  long order, width;
  double* a;
  double* b;
};

static void fill(struct matrices* matrices) {
  const long order = matrices->order, width = matrices->width;
  matrices->a = new_doubles((size_t)(order * width));
  matrices->b = new_doubles((size_t)(order * width));
  for (long column = 0; column < width; column++)
    for (long row = 0; row < order; row++)
      matrices->a[column * order + row] = (double)(order * (world_me() * width + column) + row);
}

// The rows of A that a PE wants as columns, transposed.
static void pack(const struct matrices* matrices, int pe, double* restrict packed) {
  const long order = matrices->order, width = matrices->width;
  const double* restrict a = matrices->a + pe * width;
  for (long first_row = 0; first_row < width; first_row += TILE)
    for (long first_column = 0; first_column < width; first_column += TILE) {
      const long rows = first_row + TILE < width ? first_row + TILE : width;
      const long columns = first_column + TILE < width ? first_column + TILE : width;
      for (long row = first_row; row < rows; row++)
        for (long column = first_column; column < columns; column++)
          packed[row * width + column] = a[column * order + row];
    }
}

// Adds the block that a PE has packed for this one.
static void add(const struct matrices* matrices, int pe, const double* restrict block) {
  const long width = matrices->width;
  for (long column = 0; column < width; column++) {
    double* restrict b = matrices->b + column * matrices->order + pe * width;
    for (long row = 0; row < width; row++) b[row] += block[column * width + row];
  }
}

static void increase(const struct matrices* matrices) {
  for (long i = 0; i < matrices->order * matrices->width; i++) matrices->a[i] += 1;
}

static void step(const struct matrices* matrices, struct blocks* blocks) {
  const int pes = world_pes(), me = world_me();
  for (int pe = 0; pe < pes; pe++)
    pack(matrices, pe, blocks->outgoing + (size_t)pe * blocks->count);
  blocks_start(blocks);
  for (int i = 0; i < pes; i++) {  // begins with its own, so that not all ask one
    const int pe = (me + i) % pes;
    add(matrices, pe, blocks_from(blocks, pe));
  }
  blocks_end(blocks);
  increase(matrices);
}

static double run(const struct matrices* matrices, bool gets, long iterations) {
  struct blocks blocks = {.count = (size_t)(matrices->width * matrices->width), .gets = gets};
  blocks_open(&blocks);
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(matrices, &blocks);
  blocks_close(&blocks);
  return timing.seconds;
}

// The sum of how far the values of B are from what they should be.
static double error_of(const struct matrices* matrices, long iterations) {
  const long order = matrices->order, width = matrices->width;
  const double steps = (double)iterations;
  double error = 0;
  for (long column = 0; column < width; column++)
    for (long row = 0; row < order; row++) {
      const double first = (double)(order * row + world_me() * width + column);
      const double expected = first * (steps + 1) + steps * (steps + 1) / 2;
      const double found = matrices->b[column * order + row];
      error += found > expected ? found - expected : expected - found;
    }
  return world_total(error);
}

static bool divides(long order) {
  const long pes = world_pes();
  if (order % pes == 0) return true;
  refuse("order %ld is not divisible by %ld PEs: %ld or %ld would do", order, pes,
         order < pes ? pes : order / pes * pes, (order / pes + (order < pes ? 2 : 1)) * pes);
  return false;
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  struct matrices matrices = {0};
  long iterations;
  if (argc != 3 && argc != 4)
    return refuse("usage: transpose [--json] ITERATIONS ORDER [alltoall|get]");
  const char* const variant = argc == 4 ? argv[3] : "alltoall";
  const bool gets = strcmp(variant, "get") == 0;
  if (!gets && strcmp(variant, "alltoall") != 0)
    return refuse("'%s' is no variant: alltoall or get would do", variant);
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("ORDER", argv[2], 1, &matrices.order) || !divides(matrices.order))
    return WRONG_ARGUMENTS;
  matrices.width = matrices.order / world_pes();
  fill(&matrices);
  const double seconds = run(&matrices, gets, iterations);
  const double bytes = 16.0 * (double)matrices.order * (double)matrices.order;
  const struct result result = {.kernel = "transpose",
                                .variant = variant,
                                .sizes = {{"order", matrices.order}},
                                .unit = "MB/s",
                                .iterations = iterations,
                                .work = bytes * 1e-6,
                                .seconds = seconds,
                                .found = error_of(&matrices, iterations),
                                .expected = 0};
  return report(&result, json);
}
