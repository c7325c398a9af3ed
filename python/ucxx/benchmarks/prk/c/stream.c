// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// stream: A += B + 3 C, of vectors that are shared out. PEs exchange nothing: it is the speed of
// memory.
// usage: stream [--json] ITERATIONS LENGTH

#include "program.h"

struct vectors {
  long length;  // of this PE's share
  double* a;
  const double* b;
  const double* c;
};

enum { SCALE = 3, FIRST = 2 };

static double* filled(long length, double value) {
  double* const values = new_doubles((size_t)length);
  for (long i = 0; i < length; i++) values[i] = value;
  return values;
}

static void step(const struct vectors* vectors) {
  double* restrict a = vectors->a;
  const double* restrict b = vectors->b;
  const double* restrict c = vectors->c;
  for (long i = 0; i < vectors->length; i++) a[i] += b[i] + SCALE * c[i];
}

static double run(const struct vectors* vectors, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(vectors);
  return timing.seconds;
}

static double sum_of(const struct vectors* vectors) {
  double sum = 0;
  for (long i = 0; i < vectors->length; i++) sum += vectors->a[i];
  return world_total(sum);
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  long iterations, length;
  if (argc != 3) return refuse("usage: stream [--json] ITERATIONS LENGTH");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("LENGTH", argv[2], 1, &length) || !are_enough("LENGTH", length))
    return WRONG_ARGUMENTS;
  const int me = world_me(), pes = world_pes();
  struct vectors vectors = {.length = share_of(length, pes, me)};
  vectors.a = filled(vectors.length, 0);
  vectors.b = filled(vectors.length, FIRST);
  vectors.c = filled(vectors.length, FIRST);
  const double seconds = run(&vectors, iterations);
  const double bytes_of_an_element = 32;
  const struct result result = {
      .kernel = "stream",
      .sizes = {{"length", length}},
      .unit = "MB/s",
      .iterations = iterations,
      .work = bytes_of_an_element * (double)length * 1e-6,
      .seconds = seconds,
      .found = sum_of(&vectors),
      .expected = (double)length * ((double)iterations + 1) * FIRST * (1 + SCALE)};
  return report(&result, json);
}
