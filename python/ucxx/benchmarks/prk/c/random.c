// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// random: elements of a table that is shared out are changed in an order that nobody foresees. Each
// iteration makes the same changes twice, which undoes them. After the measured ones, each owner
// checks its elements after one pass and after the second.
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

static void make_pass(struct shared_table* table, const struct updates* updates) {
  const uint64_t mask = table->layout.elements - 1;
  uint64_t value = updates->first;
  for (long i = 0; i < updates->number; i++) {
    shared_table_xor(table, value & mask, value);
    value = doubled(value);
  }
}

static void step(struct shared_table* table, const struct updates* updates) {
  for (int pass = 0; pass < 2; pass++) make_pass(table, updates);
  shared_table_finish(table);
}

static double run(struct shared_table* table, const struct updates* updates, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(table, updates);
  return timing.seconds;
}

// Makes the updates of all PEs that concern this one, without any communication.
static void replay(uint64_t* own, const struct layout* layout, long number) {
  const uint64_t mask = layout->elements - 1;
  uint64_t value = 1;
  for (long i = 0; i < number; i++) {
    if (owner_of(layout, value & mask) == world_me()) own[place_of(layout, value & mask)] ^= value;
    value = doubled(value);
  }
}

static double wrong_after_pass(struct shared_table* table, const struct updates* updates,
                               const uint64_t* wanted) {
  make_pass(table, updates);
  shared_table_finish(table);
  world_barrier();
  const double wrong = shared_table_wrong(table, wanted);
  world_barrier();  // the next pass changes the elements
  return wrong;
}

// How many elements of all PEs are wrong after one pass, or after the second, which undoes it.
static double wrong_elements(struct shared_table* table, const struct updates* updates,
                             long number) {
  uint64_t* const wanted = (uint64_t*)new_doubles(table->layout.part);
  table_fill(wanted, &table->layout);
  replay(wanted, &table->layout, number);
  double wrong = wrong_after_pass(table, updates, wanted);
  table_fill(wanted, &table->layout);
  wrong += wrong_after_pass(table, updates, wanted);
  free(wanted);
  return world_total(wrong);
}

// Whether it is a power of 2; else it has been refused.
static bool is_power(long elements) {
  long lower = 1;
  while (lower <= elements / 2) lower *= 2;
  if (lower == elements) return true;
  refuse("ELEMENTS %ld is no power of 2: %ld or %ld would do", elements, lower, 2 * lower);
  return false;
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  struct shared_table table;
  long iterations, elements, number;
  if (argc != 4) return refuse("usage: random [--json] ITERATIONS ELEMENTS UPDATES");
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("ELEMENTS", argv[2], 1, &elements) || !is_power(elements) ||
      !are_enough("ELEMENTS", elements) || !read_number("UPDATES", argv[3], 1, &number) ||
      !are_enough("UPDATES", number))
    return WRONG_ARGUMENTS;
  const int me = world_me(), pes = world_pes();
  const struct updates updates = {power_of_two(first_of(number, pes, me)),
                                  share_of(number, pes, me)};
  shared_table_open(&table, elements);
  const double seconds = run(&table, &updates, iterations);
  world_barrier();
  const struct result result = {.kernel = "random",
                                .sizes = {{"elements", elements}, {"updates", number}},
                                .unit = "updates/s",
                                .iterations = iterations,
                                .work = 2 * (double)number,
                                .seconds = seconds,
                                .found = wrong_elements(&table, &updates, number),
                                .expected = 0};
  const int status = report(&result, json);
  shared_table_close(&table);
  return status;
}
