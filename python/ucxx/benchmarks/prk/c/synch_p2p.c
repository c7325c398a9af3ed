// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// synch_p2p: a wave front over the columns of a grid, each PE's from what the one before has sent.
// usage: synch_p2p [--json] ITERATIONS ROWS COLUMNS

#include "program.h"
#include "wave.h"

// The columns of this PE; the first one is the last of the PE before, or the edge.
struct block {
  long rows, columns;  // of all
  long x, width;
  double* values;
};

static double* row_of(const struct block* block, long y) {
  return block->values + y * block->width;
}

// The edge is 0, 1, 2, ...; each PE but the first gets the rest of its first column.
static void fill(struct block* block) {
  const int me = world_me(), pes = world_pes();
  block->x = first_of(block->columns - 1, pes, me);
  block->width = share_of(block->columns - 1, pes, me) + 1;
  block->values = new_doubles((size_t)(block->rows * block->width));
  for (long x = 0; x < block->width; x++) block->values[x] = (double)(block->x + x);
  if (me == 0)
    for (long y = 0; y < block->rows; y++) *row_of(block, y) = (double)y;
}

// In parentheses what need not wait for the value before.
static void next_row(const double* restrict above, double* restrict row, long width) {
  for (long x = 1; x < width; x++) row[x] = (above[x] - above[x - 1]) + row[x - 1];
}

// The corner of the grid goes back, as what the next step begins with.
static void return_corner(const struct block* block, const struct wave* wave) {
  const int me = world_me(), last = world_pes() - 1;
  const double corner = row_of(block, block->rows - 1)[block->width - 1];
  if (last == 0) {
    block->values[0] = -corner;
    return;
  }
  if (me == last) wave_send(wave, 0, -corner, 0);
  if (me == 0) block->values[0] = wave_receive(wave, 0, last);
}

static void step(const struct block* block, struct wave* wave) {
  const int me = world_me(), last = world_pes() - 1;
  wave_next_step(wave);
  for (long y = 1; y < block->rows; y++) {
    double* const row = row_of(block, y);
    if (me > 0) row[0] = wave_receive(wave, y, me - 1);
    next_row(row - block->width, row, block->width);
    if (me < last) wave_send(wave, y, row[block->width - 1], me + 1);
  }
  return_corner(block, wave);
}

static double run(const struct block* block, long iterations) {
  struct wave wave;
  wave_open(&wave, block->rows);
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(block, &wave);
  return timing.seconds;
}

static double corner_of(const struct block* block) {
  const double mine = row_of(block, block->rows - 1)[block->width - 1];
  return world_total(world_me() == world_pes() - 1 ? mine : 0);
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  struct block block = {0};
  long iterations;
  if (argc != 4) return refuse("usage: synch_p2p [--json] ITERATIONS ROWS COLUMNS");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("ROWS", argv[2], 2, &block.rows) ||
      !read_number("COLUMNS", argv[3], 2, &block.columns))
    return WRONG_ARGUMENTS;
  if (block.columns - 1 < world_pes())
    return refuse("%ld columns are too few for %d PEs: at least %d, or at most %ld PEs, would do",
                  block.columns, world_pes(), world_pes() + 1, block.columns - 1);
  fill(&block);
  const double seconds = run(&block, iterations);
  const double points = (double)(block.rows - 1) * (double)(block.columns - 1);
  const double corner = (double)(block.rows + block.columns - 2);
  const struct result result = {.kernel = "synch_p2p",
                                .sizes = {{"rows", block.rows}, {"columns", block.columns}},
                                .unit = "MFlop/s",
                                .iterations = iterations,
                                .work = 2 * points * 1e-6,
                                .seconds = seconds,
                                .found = corner_of(&block),
                                .expected = ((double)iterations + 1) * corner};
  return report(&result, json);
}
