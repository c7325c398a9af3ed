// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// sparse: a matrix with few elements in a row, those of a star over a periodic grid, is multiplied
// by a vector. Rows and vector are shared out; the columns are in an order that has no locality.
// usage: sparse [--json] ITERATIONS BITS RADIUS

#include <stdint.h>

#include "program.h"
#include "vector_gather.h"

enum { MOST_BITS = 15 };  // columns are numbers of 32 bits

// The rows of this PE.
struct matrix {
  long bits, radius;  // of the side of the grid; of the star
  long order;         // rows and columns
  long first, rows;
  long in_a_row;  // elements
  uint32_t* columns;
  double* values;
  double* sums;  // what is added up of the products
};

static uint32_t reversed(uint32_t index, long bits) {
  uint32_t result = 0;
  for (long i = 0; i < bits; i++, index >>= 1) result = result << 1 | (index & 1);
  return result;
}

// The column of the point that is so far from that of a row.
static uint32_t column_of(const struct matrix* matrix, long row, long right, long down) {
  const long side = 1L << matrix->bits;
  const long x = (row % side + right + side) % side, y = (row / side + down + side) % side;
  return reversed((uint32_t)(y * side + x), 2 * matrix->bits);
}

static void fill_row(const struct matrix* matrix, long row) {
  uint32_t* next = matrix->columns + (row - matrix->first) * matrix->in_a_row;
  *next++ = column_of(matrix, row, 0, 0);
  for (long j = 1; j <= matrix->radius; j++) {
    *next++ = column_of(matrix, row, j, 0);
    *next++ = column_of(matrix, row, -j, 0);
    *next++ = column_of(matrix, row, 0, j);
    *next++ = column_of(matrix, row, 0, -j);
  }
}

static void fill(struct matrix* matrix) {
  const int me = world_me(), pes = world_pes();
  matrix->first = first_of(matrix->order, pes, me);
  matrix->rows = share_of(matrix->order, pes, me);
  matrix->in_a_row = 4 * matrix->radius + 1;
  const size_t elements = (size_t)(matrix->rows * matrix->in_a_row);
  matrix->columns = (uint32_t*)new_doubles(elements / 2 + 1);
  matrix->values = new_doubles(elements);
  matrix->sums = new_doubles((size_t)matrix->rows);
  for (long row = matrix->first; row < matrix->first + matrix->rows; row++) fill_row(matrix, row);
  for (size_t i = 0; i < elements; i++) matrix->values[i] = 1 / ((double)matrix->columns[i] + 1);
}

static void add_products(const struct matrix* matrix, const double* restrict vector) {
  const uint32_t* restrict column = matrix->columns;
  const double* restrict value = matrix->values;
  for (long row = 0; row < matrix->rows; row++) {
    double sum = 0;
    for (long i = 0; i < matrix->in_a_row; i++) sum += *value++ * vector[*column++];
    matrix->sums[row] += sum;
  }
}

static void step(const struct matrix* matrix, struct vector_gather* vector) {
  for (long i = 0; i < matrix->rows; i++) vector->own[i] += (double)(matrix->first + i + 1);
  vector_gather(vector);
  add_products(matrix, vector->all);
}

static double run(const struct matrix* matrix, struct vector_gather* vector, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(matrix, vector);
  return timing.seconds;
}

static double sum_of(const struct matrix* matrix) {
  double sum = 0;
  for (long row = 0; row < matrix->rows; row++) sum += matrix->sums[row];
  return world_total(sum);
}

// Whether the arms of the star do not meet, and each PE has a row; else it has been refused.
static bool fits(const struct matrix* matrix) {
  const long most = ((1L << matrix->bits) - 1) / 2;
  if (matrix->radius <= most) return are_enough("ROWS", matrix->order);
  refuse("radius %ld is too large for a grid of %ld by %ld points: at most %ld would do",
         matrix->radius, 1L << matrix->bits, 1L << matrix->bits, most);
  return false;
}

static bool read_bits(const char* text, struct matrix* matrix) {
  if (!read_number("BITS", text, 2, &matrix->bits)) return false;
  if (matrix->bits > MOST_BITS) {
    refuse("BITS: '%s': a number from 2 to %d would do", text, MOST_BITS);
    return false;
  }
  matrix->order = 1L << 2 * matrix->bits;
  return true;
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  struct matrix matrix = {0};
  long iterations;
  if (argc != 4) return refuse("usage: sparse [--json] ITERATIONS BITS RADIUS");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) || !read_bits(argv[2], &matrix) ||
      !read_number("RADIUS", argv[3], 1, &matrix.radius) || !fits(&matrix))
    return WRONG_ARGUMENTS;
  fill(&matrix);
  struct vector_gather vector = {.length = matrix.order, .count = (size_t)matrix.rows};
  vector_gather_open(&vector);
  const double seconds = run(&matrix, &vector, iterations);
  const double elements = (double)matrix.order * (double)matrix.in_a_row;
  const double steps = (double)iterations;
  const struct result result = {.kernel = "sparse",
                                .sizes = {{"bits", matrix.bits}, {"radius", matrix.radius}},
                                .unit = "MFlop/s",
                                .iterations = iterations,
                                .work = 2 * elements * 1e-6,
                                .seconds = seconds,
                                .found = sum_of(&matrix),
                                .expected = elements * (steps + 1) * (steps + 2) / 2};
  return report(&result, json);
}
