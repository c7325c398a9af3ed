// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// random: elements of a table that is shared out are changed in an order that nobody foresees. The
// same changes are made twice, which undoes them.
// usage: random [--json] ITERATIONS ELEMENTS UPDATES

#include "program.h"
#include "shared_table.h"

// Powers of 2, as polynomials over the field of two elements, modulo x^63 + x^2 + x + 1.
enum { DEGREE = 63, LOW_TERMS = 7 };

static uint64_t doubled(uint64_t value) {
  const uint64_t twice = value << 1, high_term = UINT64_C(1) << DEGREE;
  return (twice & high_term) != 0 ? twice ^ high_term ^ LOW_TERMS : twice;
}

static uint64_t product(uint64_t one, uint64_t other) {
  uint64_t sum = 0;
  for (; other != 0; other >>= 1, one = doubled(one))
    if ((other & 1) != 0) sum ^= one;
  return sum;
}

static uint64_t power_of_two(long exponent) {
  uint64_t power = 1, base = 2;
  for (; exponent != 0; exponent >>= 1, base = product(base, base))
    if ((exponent & 1) != 0) power = product(power, base);
  return power;
}

// The share of this PE.
struct updates {
  uint64_t first;
  long number;
};

static void step(struct shared_table* table, const struct updates* updates) {
  const uint64_t elements = (uint64_t)table->elements;
  for (int pass = 0; pass < 2; pass++) {
    uint64_t value = updates->first;
    for (long i = 0; i < updates->number; i++) {
      shared_table_xor(table, (long)(value % elements), value);
      value = doubled(value);
    }
  }
  shared_table_finish(table);
}

static double run(struct shared_table* table, const struct updates* updates, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(table, updates);
  return timing.seconds;
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  struct shared_table table;
  long iterations, number;
  if (argc != 4) return refuse("usage: random [--json] ITERATIONS ELEMENTS UPDATES");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("ELEMENTS", argv[2], 1, &table.elements) ||
      !are_enough("ELEMENTS", table.elements) || !read_number("UPDATES", argv[3], 1, &number) ||
      !are_enough("UPDATES", number))
    return WRONG_ARGUMENTS;
  const int me = world_me(), pes = world_pes();
  const struct updates updates = {power_of_two(first_of(number, pes, me)),
                                  share_of(number, pes, me)};
  shared_table_open(&table);
  const double seconds = run(&table, &updates, iterations);
  world_barrier();
  const struct result result = {.kernel = "random",
                                .sizes = {{"elements", table.elements}, {"updates", number}},
                                .unit = "updates/s",
                                .iterations = iterations,
                                .work = 2 * (double)number,
                                .seconds = seconds,
                                .found = world_total(shared_table_wrong(&table)),
                                .expected = 0};
  const int status = report(&result, json);
  shared_table_close(&table);
  return status;
}
