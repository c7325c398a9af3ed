// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// reduce: vectors of all PEs are added up, element by element, into that of PE 0.
// usage: reduce [--json] ITERATIONS LENGTH

#include "program.h"
#include "vector_sum.h"

static void step(struct vector_sum* sum) {
  for (size_t i = 0; i < sum->length; i++) sum->own[i] = sum->values[i] + 1;
  vector_sum_to_first(sum);
}

static double run(struct vector_sum* sum, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(sum);
  return timing.seconds;
}

// Of PE 0: the sum of how far its elements are from what they should be.
static double error_of(const struct vector_sum* sum, long iterations) {
  const double steps = (double)iterations, others = (double)(world_pes() - 1);
  const double expected = steps + 2 + (steps * steps + 5 * steps + 4) * others / 2;
  double error = 0;
  for (size_t i = 0; i < sum->length; i++) {
    const double found = sum->values[i];
    error += (found > expected ? found - expected : expected - found) / expected;
  }
  return error;
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  long iterations, length;
  if (argc != 3) return refuse("usage: reduce [--json] ITERATIONS LENGTH");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("LENGTH", argv[2], 1, &length))
    return WRONG_ARGUMENTS;
  struct vector_sum sum = {.length = (size_t)length};
  vector_sum_open(&sum);
  for (long i = 0; i < length; i++) sum.own[i] = 1;
  const double seconds = run(&sum, iterations);
  const struct result result = {.kernel = "reduce",
                                .sizes = {{"length", length}},
                                .unit = "MFlop/s",
                                .iterations = iterations,
                                .work = (2.0 * world_pes() - 1) * (double)length * 1e-6,
                                .seconds = seconds,
                                .found = error_of(&sum, iterations),
                                .expected = 0};
  return report(&result, json);
}
