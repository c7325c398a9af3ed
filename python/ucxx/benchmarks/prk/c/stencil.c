// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// stencil: a star of a radius over a square grid, in blocks whose borders neighbours exchange.
// usage: stencil [--json] ITERATIONS ORDER RADIUS

#include <math.h>

#include "halo_exchange.h"
#include "program.h"

struct block {
  long order, radius;
  long x, y;  // of its first point
  long width, height;
  long stride;  // of the values in, which have a frame of 'radius' points
  double* in;
  double* out;
};

static double* at(const struct block* block, long x, long y) {
  return block->in + (y + block->radius) * block->stride + block->radius + x;
}

static void place(struct block* block, struct halo* halo) {
  const int me = world_me(), columns = columns_of(world_pes()), rows = world_pes() / columns;
  const int column = me % columns, row = me / columns;
  block->x = first_of(block->order, columns, column);
  block->y = first_of(block->order, rows, row);
  block->width = share_of(block->order, columns, column);
  block->height = share_of(block->order, rows, row);
  block->stride = block->width + 2 * block->radius;
  halo->peer[LEFT] = column > 0 ? me - 1 : NOBODY;
  halo->peer[RIGHT] = column < columns - 1 ? me + 1 : NOBODY;
  halo->peer[UP] = row > 0 ? me - columns : NOBODY;
  halo->peer[DOWN] = row < rows - 1 ? me + columns : NOBODY;
  halo->count[LEFT] = halo->count[RIGHT] = (size_t)(block->radius * block->height);
  halo->count[UP] = halo->count[DOWN] = (size_t)(block->radius * block->width);
}

static void fill(struct block* block) {
  block->in = new_doubles((size_t)(block->stride * (block->height + 2 * block->radius)));
  block->out = new_doubles((size_t)(block->width * block->height));
  for (long y = 0; y < block->height; y++)
    for (long x = 0; x < block->width; x++)
      *at(block, x, y) = (double)(block->x + x + block->y + y);
}

struct area {
  long x, y, width, height;
};

// The border on a side of the block, or, with 'beyond', the frame behind it.
static struct area border(const struct block* block, int side, bool beyond) {
  const long radius = block->radius;
  const struct area area = {
      side == RIGHT ? block->width - (beyond ? 0 : radius) : (side == LEFT && beyond ? -radius : 0),
      side == DOWN ? block->height - (beyond ? 0 : radius) : (side == UP && beyond ? -radius : 0),
      side == LEFT || side == RIGHT ? radius : block->width,
      side == UP || side == DOWN ? radius : block->height};
  return area;
}

static void pack(const struct block* block, int side, double* packed) {
  const struct area area = border(block, side, false);
  for (long y = 0; y < area.height; y++)
    memcpy(packed + y * area.width, at(block, area.x, area.y + y),
           (size_t)area.width * sizeof(double));
}

static void unpack(const struct block* block, int side, const double* packed) {
  const struct area area = border(block, side, true);
  for (long y = 0; y < area.height; y++)
    memcpy(at(block, area.x, area.y + y), packed + y * area.width,
           (size_t)area.width * sizeof(double));
}

// The points that a whole star fits around.
static struct area inside(const struct block* block) {
  const long radius = block->radius, end = block->order - radius;
  const long left = block->x < radius ? radius - block->x : 0;
  const long top = block->y < radius ? radius - block->y : 0;
  const long right = block->x + block->width > end ? end - block->x : block->width;
  const long bottom = block->y + block->height > end ? end - block->y : block->height;
  const struct area area = {left, top, right - left, bottom - top};
  return area;
}

// One copy for each constant radius, with its loops unrolled.
__attribute__((always_inline)) static inline void add_stars_of(const struct block* block,
                                                               const long radius) {
  const struct area area = inside(block);
  const long stride = block->stride;
  for (long y = area.y; y < area.y + area.height; y++) {
    const double* restrict in = at(block, 0, y);
    double* restrict out = block->out + y * block->width;
    for (long x = area.x; x < area.x + area.width; x++) {
      double sum = 0;
      for (long j = 1; j <= radius; j++) {
        const double weight = 1.0 / (double)(2 * j * radius);
        sum += weight * in[x + j];
        sum -= weight * in[x - j];
        sum += weight * in[x + j * stride];
        sum -= weight * in[x - j * stride];
      }
      out[x] += sum;
    }
  }
}

static void add_stars(const struct block* block) {
  switch (block->radius) {
    case 1:
      return add_stars_of(block, 1);
    case 2:
      return add_stars_of(block, 2);
    case 3:
      return add_stars_of(block, 3);
    case 4:
      return add_stars_of(block, 4);
    case 5:
      return add_stars_of(block, 5);
    case 6:
      return add_stars_of(block, 6);
    default:
      return add_stars_of(block, block->radius);
  }
}

static void increase(const struct block* block) {
  for (long y = 0; y < block->height; y++) {
    double* const in = at(block, 0, y);
    for (long x = 0; x < block->width; x++) in[x] += 1;
  }
}

static void step(const struct block* block, struct halo* halo) {
  for (int side = 0; side < SIDES; side++)
    if (halo->peer[side] != NOBODY) pack(block, side, halo->outgoing[side]);
  halo_exchange(halo);
  for (int side = 0; side < SIDES; side++)
    if (halo->peer[side] != NOBODY) unpack(block, side, halo->incoming[side]);
  add_stars(block);
  increase(block);
}

static double mean(const struct block* block) {
  const struct area area = inside(block);
  double sum = 0;
  for (long y = area.y; y < area.y + area.height; y++)
    for (long x = area.x; x < area.x + area.width; x++)
      sum += fabs(block->out[y * block->width + x]);
  const double across = (double)(block->order - 2 * block->radius);
  return world_total(sum) / (across * across);
}

static double run(struct block* block, struct halo* halo, long iterations) {
  place(block, halo);
  fill(block);
  halo_open(halo);
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(block, halo);
  return timing.seconds;
}

// Whether the blocks of all PEs are as large as the star wants them; else it has been refused.
static bool fits(const struct block* block) {
  const int pes = world_pes(), rows = pes / columns_of(pes);
  long least = 2 * block->radius + 1;
  if (block->radius * rows > least) least = block->radius * rows;
  if (block->order >= least) return true;
  refuse("order %ld is too small for radius %ld on %d PEs: at least %ld would do", block->order,
         block->radius, pes, least);
  return false;
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  struct block block = {0};
  struct halo halo = {0};
  long iterations;
  if (argc != 4) return refuse("usage: stencil [--json] ITERATIONS ORDER RADIUS");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("ORDER", argv[2], 3, &block.order) ||
      !read_number("RADIUS", argv[3], 1, &block.radius) || !fits(&block))
    return WRONG_ARGUMENTS;
  const double seconds = run(&block, &halo, iterations);
  const double across = (double)(block.order - 2 * block.radius);
  const double flop = across * across * (double)(2 * (4 * block.radius + 1) + 1);
  const struct result result = {.kernel = "stencil",
                                .sizes = {{"order", block.order}, {"radius", block.radius}},
                                .unit = "MFlop/s",
                                .iterations = iterations,
                                .work = flop * 1e-6,
                                .seconds = seconds,
                                .found = mean(&block),
                                .expected = 2 * ((double)iterations + 1)};
  return report(&result, json);
}
