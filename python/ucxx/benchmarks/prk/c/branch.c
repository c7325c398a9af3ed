// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// branch: the signs of the elements of a vector that is shared out are changed, by a loop with a
// branch or by a straight one. PEs exchange nothing: it is the price of a branch in a loop
//   go     that is vectorised in spite of it,
//   stop   that is not, because of it,
//   never  that is not, without it either,
//   many   each way of which is long: the 32 of them have more than 64 KiB of instructions, which a
//          first cache of 32 or 64 KiB does not hold.
// After the measured sweeps each element is checked: it has the other sign after an odd number of
// sweeps.
// usage: branch [--json] ITERATIONS LENGTH [go|stop|never|many[-straight]]

#include <stdint.h>

#include "program.h"

enum { PERIOD = 8, TURN = 3 };  // elements are 3, 2, 1, 0, -1, -2, -3, -4, 3 ...

// The share of this PE.
struct vector {
  long first, length;
  int* values;
  // What a compiler does not know, so that it sees neither that both ways are the same, nor that
  // they touch one element.
  const long* index;  // of each element its own
  int two, minus_one;
};

static void go(const struct vector* vector) {
  int* const v = vector->values;
  const int two = vector->two, minus_one = vector->minus_one;
  for (long i = 0; i < vector->length; i++) {
    if (i % PERIOD < TURN)
      v[i] -= two * v[i];
    else
      v[i] *= minus_one;
  }
}

static void go_straight(const struct vector* vector) {
  int* const v = vector->values;
  const int two = vector->two;
  for (long i = 0; i < vector->length; i++) v[i] -= two * v[i];
}

static void stop(const struct vector* vector) {
  int* const v = vector->values;
  const int two = vector->two, minus_one = vector->minus_one;
  const long* const index = vector->index;
  for (long i = 0; i < vector->length; i++) {
    if (v[index[i]] > 0)
      v[i] -= two * v[i];
    else
      v[i] *= minus_one;
  }
}

static void never(const struct vector* vector) {
  int* const v = vector->values;
  const int two = vector->two, minus_one = vector->minus_one;
  const long* const index = vector->index;
  for (long i = 0; i < vector->length; i++) {
    if (i % PERIOD < TURN)
      v[i] -= two * v[index[i]];
    else
      v[i] += (minus_one - 1) * v[index[i]];
  }
}

static void never_straight(const struct vector* vector) {
  int* const v = vector->values;
  const int two = vector->two;
  const long* const index = vector->index;
  for (long i = 0; i < vector->length; i++) v[i] -= two * v[index[i]];
}

// A way: the value is mixed in steps of its own, and comes back by the same ones.
#define MIX(x, k, n) x = (x ^ (uint32_t)((k)*77 + (n))) * 3u
#define BACK(x, k, n) x = (x * 0xAAAAAAABu) ^ (uint32_t)((k)*77 + (n))
#define MIX_4(x, k, n) MIX(x, k, n), MIX(x, k, (n) + 1), MIX(x, k, (n) + 2), MIX(x, k, (n) + 3)
#define BACK_4(x, k, n) BACK(x, k, (n) + 3), BACK(x, k, (n) + 2), BACK(x, k, (n) + 1), BACK(x, k, n)
#define MIX_16(x, k, n) \
  MIX_4(x, k, n), MIX_4(x, k, (n) + 4), MIX_4(x, k, (n) + 8), MIX_4(x, k, (n) + 12)
#define BACK_16(x, k, n) \
  BACK_4(x, k, (n) + 12), BACK_4(x, k, (n) + 8), BACK_4(x, k, (n) + 4), BACK_4(x, k, n)
#define MIX_64(x, k, n) \
  MIX_16(x, k, n), MIX_16(x, k, (n) + 16), MIX_16(x, k, (n) + 32), MIX_16(x, k, (n) + 48)
#define BACK_64(x, k, n) \
  BACK_16(x, k, (n) + 48), BACK_16(x, k, (n) + 32), BACK_16(x, k, (n) + 16), BACK_16(x, k, n)
#define WAY(k)                                                                    \
  static int way_##k(int value) {                                                 \
    uint32_t x = (uint32_t)value;                                                 \
    MIX_64(x, k, 0), MIX_64(x, k, 64);                                            \
    __asm__ volatile("" : "+r"(x)); /* nobody sees that both cancel each other */ \
    BACK_64(x, k, 64), BACK_64(x, k, 0);                                          \
    return -(int)x;                                                               \
  }
#define WAYS(each)                                                                              \
  each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10)      \
      each(11) each(12) each(13) each(14) each(15) each(16) each(17) each(18) each(19) each(20) \
          each(21) each(22) each(23) each(24) each(25) each(26) each(27) each(28) each(29)      \
              each(30) each(31)
WAYS(WAY)

static int by_way(long which, int value) {
  switch (which) {
#define CASE(k) \
  case k:       \
    return way_##k(value);
    WAYS(CASE)
    default:
      return value;
  }
}

enum { NUMBER_OF_WAYS = 32 };

static void many(const struct vector* vector) {
  for (long i = 0; i < vector->length; i++)
    vector->values[i] = by_way(vector->index[i] % NUMBER_OF_WAYS, vector->values[i]);
}

static void many_straight(const struct vector* vector) {
  for (long i = 0; i < vector->length; i++) vector->values[i] = way_0(vector->values[i]);
}

struct variant {
  const char* name;
  void (*sweep)(const struct vector*);
};

static const struct variant variants[] = {
    {"go", go},       {"go-straight", go_straight},       {"stop", stop},
    {"never", never}, {"never-straight", never_straight}, {"stop-straight", go_straight},
    {"many", many},   {"many-straight", many_straight},   {NULL, NULL}};

static int initial(const struct vector* vector, long i) {
  return TURN - (int)((vector->first + i) % PERIOD);
}

static void fill(struct vector* vector, long length) {
  const int me = world_me(), pes = world_pes();
  vector->first = first_of(length, pes, me);
  vector->length = share_of(length, pes, me);
  vector->values = (int*)new_doubles((size_t)vector->length);
  long* const index = (long*)new_doubles((size_t)vector->length);
  for (long i = 0; i < vector->length; i++) {
    index[i] = i;
    vector->values[i] = initial(vector, i);
  }
  vector->index = index;
  vector->two = 2;
  vector->minus_one = -1;
  __asm__ volatile("" : : "r"(vector) : "memory");  // may have changed them
}

static double run(const struct vector* vector, const struct variant* variant, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) variant->sweep(vector);
  return timing.seconds;
}

// How many elements of all PEs do not have the other sign. After an even number of sweeps one more
// is made, since without any sweep they would have the first one, too.
static double wrong_elements(const struct vector* vector, const struct variant* variant,
                             long sweeps) {
  double wrong = 0;
  if (sweeps % 2 == 0) variant->sweep(vector);
  for (long i = 0; i < vector->length; i++) wrong += vector->values[i] != -initial(vector, i);
  return world_total(wrong);
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  const char* const usage =
      "usage: branch [--json] ITERATIONS LENGTH [go|stop|never|many[-straight]]";
  long iterations, length;
  if (argc != 3 && argc != 4) return refuse("%s", usage);
  const struct variant* variant = variants;
  while (argc == 4 && variant->name != NULL && strcmp(variant->name, argv[3]) != 0) variant++;
  if (variant->name == NULL)
    return refuse(
        "'%s' is no variant: go, stop, never or many, or one of them with -straight, would do",
        argv[3]);
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("LENGTH", argv[2], 1, &length) || !are_enough("LENGTH", length))
    return WRONG_ARGUMENTS;
  struct vector vector;
  fill(&vector, length);
  const double seconds = run(&vector, variant, iterations);
  const struct result result = {.kernel = "branch",
                                .variant = variant->name,
                                .sizes = {{"length", length}},
                                .unit = "Mop/s",
                                .iterations = iterations,
                                .work = (double)length * 1e-6,
                                .seconds = seconds,
                                .found = wrong_elements(&vector, variant, iterations + 1),
                                .expected = 0};
  return report(&result, json);
}
