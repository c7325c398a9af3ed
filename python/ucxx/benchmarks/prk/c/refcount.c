// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// refcount: all PEs change two counters of PE 0, each update both of them: under a lock they are
// rotated by 1 radian, as a point on a circle; or both are increased by atomic operations.
// usage: refcount [--json] ITERATIONS UPDATES [lock|atomic]

#include <math.h>

#include "counters.h"
#include "program.h"

static void step(struct counters* counters, long updates, bool locks) {
  if (locks) {
    const double cosine = cos(1), sine = sin(1);
    for (long i = 0; i < updates; i++) counters_rotate(counters, cosine, sine);
  } else {
    for (long i = 0; i < updates; i++) counters_increase(counters);
  }
  counters_finish(counters);
}

static double run(struct counters* counters, long updates, bool locks, long iterations) {
  struct timing timing = {.iterations = iterations};
  while (goes_on(&timing)) step(counters, updates, locks);
  return timing.seconds;
}

// How much farther the counters of PE 0 are from what so many updates make of them than rounding
// may bring a point: 6e-17 an update was found.
static double error_of(struct counters* counters, double updates, bool locks) {
  const union counter first = counters_value(counters, 0), second = counters_value(counters, 1);
  if (locks)
    return fmax(0, fabs(first.coordinate - cos(updates)) + fabs(second.coordinate - sin(updates)) -
                       2e-16 * updates);
  return fabs((double)first.count - updates) + fabs((double)second.count - updates);
}

static int run_program(int argc, char** argv) {
  const bool json = take_json(&argc, argv);
  long iterations, updates;
  if (argc != 3 && argc != 4)
    return refuse("usage: refcount [--json] ITERATIONS UPDATES [lock|atomic]");
  const char* const variant = argc == 4 ? argv[3] : "lock";
  const bool locks = strcmp(variant, "lock") == 0;
  if (!locks && strcmp(variant, "atomic") != 0)
    return refuse("'%s' is no variant: lock or atomic would do", variant);
  if (!read_number("ITERATIONS", argv[1], 1, &iterations) ||
      !read_number("UPDATES", argv[2], 1, &updates) || !are_enough("UPDATES", updates))
    return WRONG_ARGUMENTS;
  const int me = world_me(), pes = world_pes();
  const long share = share_of(updates, pes, me);
  struct counters counters;
  counters_open(&counters, locks);
  const double seconds = run(&counters, share, locks, iterations);
  world_barrier();
  const double all = ((double)iterations + 1) * (double)updates;
  const struct result result = {.kernel = "refcount",
                                .variant = variant,
                                .sizes = {{"updates", updates}},
                                .unit = "updates/s",
                                .iterations = iterations,
                                .work = (double)updates,
                                .seconds = seconds,
                                .found = me == 0 ? error_of(&counters, all, locks) : 0,
                                .expected = 0};
  const int status = report(&result, json);
  counters_close(&counters);
  return status;
}
