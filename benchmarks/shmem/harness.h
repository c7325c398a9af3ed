// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// How calls.c and limits.c measure. Their arguments are
//
//   [-t MS] [-c] FIGURE:BYTES...
//
// -c: the PEs take turns on the processors that they may use.
// Each figure runs kRuns times for about MS milliseconds. PE 0 prints a line for it: name, bytes,
// and the nanoseconds of one call, of the best run and of the median one.

#include <sched.h>
#include <string.h>

#include "lines.h"
#include "pinning.h"

enum { kRuns = 15, kMostPairs = 1 << 23, kPage = 4096 };

/// What the PEs do: all run the figure; or PE 0 alone, while the others compute or are in a
/// barrier.
enum whom { kAll, kOthersCompute, kOthersWait };

struct figure {
  const char* name;
  void (*run)(int calls);
  enum whom whom;
};

struct wanted {
  const char* name;
  size_t bytes;
};

// What a program has to define. `agreed` returns the value of PE 0 on all PEs; PE 0 sets `*done` of
// all PEs by `tell`.
static int me;
static size_t bytes;  // of the figure that is measured
static void meet(void);
static long agreed(long value);
static volatile long* done;
static void tell(long value);

/// The others compute until PE 0 is done.
static void compute_meanwhile(void) {
  static long turn;
  ++turn;
  if (me == 0) tell(turn);
  for (unsigned polls = 1; *done != turn; ++polls)
    if (polls % 4096 == 0) sched_yield();
}

/// A buffer that is not symmetric; on a page of its own.
static char* local_buffer(size_t size) {
  char* const buffer = aligned_alloc(kPage, (size + kPage - 1) / kPage * kPage);
  memset(buffer, 1, size);
  return buffer;
}

static double time_of(const struct figure* figure, int calls) {
  meet();
  const double begin = nanoseconds();
  if (figure->whom == kAll || me == 0) figure->run(calls);
  const double taken = nanoseconds() - begin;
  if (figure->whom == kOthersCompute) compute_meanwhile();
  return taken;
}

/// So many calls, an even number, take about the time of a run.
static int calls_of(const struct figure* figure, double run) {
  for (long calls = 2;;) {
    const double time = time_of(figure, (int)calls);
    const int is_enough = (int)agreed(time > run / 8 || calls >= kMostPairs / 2);
    if (!is_enough) {
      calls *= 4;
      continue;
    }
    const double pairs = (double)calls * run / time / 2;
    return 2 * (int)agreed(pairs < 1 ? 1 : pairs > kMostPairs ? kMostPairs : (long)pairs);
  }
}

static void measure(const struct figure* figure, double run) {
  double runs[kRuns];
  const int calls = calls_of(figure, run);
  for (int i = 0; i < kRuns; ++i) runs[i] = time_of(figure, calls) / calls;
  meet();
  if (me == 0) print_figure(figure->name, bytes, runs, kRuns);
}

/// An argument `put:8`.
static struct wanted wanted_of(char* argument) {
  char* const colon = strchr(argument, ':');
  const struct wanted wanted = {argument, colon ? strtoul(colon + 1, NULL, 10) : 0};
  if (colon) *colon = '\0';
  return wanted;
}

/// Reads the arguments; `begin(largest)` is called with the most bytes of a figure. What the
/// program does not have it leaves out.
static void measure_wanted(int count, char** arguments, const struct figure* figures,
                           void (*begin)(size_t)) {
  double run = 3e6;
  while (count > 0 && **arguments == '-') {
    const int has_value = strcmp(*arguments, "-t") == 0 && count > 1;
    if (has_value) run = atof(arguments[1]) * 1e6;
    if (strcmp(*arguments, "-c") == 0) pin(me);
    arguments += 1 + has_value;
    count -= 1 + has_value;
  }
  struct wanted* const wanted = malloc(sizeof *wanted * (size_t)(count + 1));
  size_t largest = 8;
  for (int i = 0; i < count; ++i) {
    wanted[i] = wanted_of(arguments[i]);
    if (wanted[i].bytes > largest) largest = wanted[i].bytes;
  }
  begin(largest);
  for (int i = 0; i < count; ++i) {
    bytes = wanted[i].bytes;
    for (const struct figure* figure = figures; figure->name; ++figure)
      if (strcmp(figure->name, wanted[i].name) == 0) measure(figure, run);
  }
  free(wanted);
}
