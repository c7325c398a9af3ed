// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// synch_global: all PEs exchange strings of digits, and each takes every n-th digit of all of them.
// usage: synch_global [--json] ITERATIONS LENGTH

#include "program.h"
#include "string_gather.h"

static void step(struct strings* strings) {
  const size_t me = (size_t)world_me(), pes = (size_t)world_pes(), length = strings->length;
  strings_gather(strings);
  char* restrict const own = strings->own;
  const char* restrict const all = strings->all;
  for (size_t i = 0; i < length; i++) own[i] = all[me + i * pes];
}

static double run(struct strings* strings, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(strings);
  return timing.seconds;
}

static double sum_of(const struct strings* strings) {
  double sum = 0;
  for (size_t i = 0; i < strings->length; i++) sum += strings->own[i] - '0';
  return world_total(sum);
}

// Each digit as often as the others, as far as that goes.
static void fill(const struct strings* strings) {
  const size_t before = (size_t)world_me() * strings->length, digits = 10;
  for (size_t i = 0; i < strings->length; i++)
    strings->own[i] = (char)('0' + (before + i) % digits);
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  long iterations, length;
  if (argc != 3) return refuse("usage: synch_global [--json] ITERATIONS LENGTH");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("LENGTH", argv[2], 1, &length))
    return WRONG_ARGUMENTS;
  struct strings strings = {.length = (size_t)length};
  strings_open(&strings);
  fill(&strings);
  const double expected = sum_of(&strings);
  const double seconds = run(&strings, iterations);
  const struct result result = {.kernel = "synch_global",
                                .sizes = {{"length", length}},
                                .unit = "steps/s",
                                .iterations = iterations,
                                .work = 1,
                                .seconds = seconds,
                                .found = sum_of(&strings),
                                .expected = expected};
  return report(&result, json);
}
