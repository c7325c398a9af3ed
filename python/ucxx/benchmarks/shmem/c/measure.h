// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What the programs in C have in common: PROGRAM MS REPEATS FIGURE:BYTES... PE 0 prints a line of
// JSON for each figure, the nanoseconds of a call of each repetition. A figure that the program
// does not have is left out. The program defines `time_of` and `agreed`.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { kMost = 1 << 23, kPage = 4096, kMostRepeats = 1000 };

/// PE 0 calls while the others compute; PE 0 and PE 1; all PEs.
enum who { kOne, kPair, kAll };

struct figure {
  const char* name;
  enum who who;
  void (*run)(long count);
  int calls;  // in each turn of its loop
};

static int me, pes;
static size_t bytes;  // of a transfer

/// The nanoseconds of so many turns. All PEs call it.
static double time_of(const struct figure* figure, long count);
/// The value of PE 0, on all PEs.
static long agreed(long value);

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/// So many turns take about the time of a run.
static long count_of(const struct figure* figure, double run) {
  for (long count = 1;; count *= 4) {
    // The least: an interruption would have it end with too few.
    double taken = time_of(figure, count);
    for (int i = 0; i < 2; ++i) {
      const double other = time_of(figure, count);
      if (other < taken) taken = other;
    }
    if (!agreed(taken > run / 8 || count >= kMost)) continue;
    const double wanted = (double)count * run / (taken > 1 ? taken : 1);
    return agreed(wanted < 1 ? 1 : wanted > kMost ? kMost : (long)wanted);
  }
}

static void measure(const struct figure* figure, double run, int repeats) {
  double times[kMostRepeats];
  const long count = count_of(figure, run);
  for (int i = 0; i < repeats; ++i) {
    times[i] = time_of(figure, count) / (double)(count * figure->calls);
  }
  agreed(0);  // waits for all
  if (me != 0) return;
  printf("{\"figure\": \"%s\", \"bytes\": %zu, \"ns\": [", figure->name, bytes);
  for (int i = 0; i < repeats; ++i) printf("%s%.3f", i ? ", " : "", times[i]);
  printf("]}\n");
  fflush(stdout);
}

/// Pages of its own: the speed of a copy depends on the addresses within a page.
static char* pages(size_t size) {
  void* const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "no memory for %zu bytes\n", size);
    abort();
  }
  return memset(memory, 1, size);
}

static size_t bytes_of(const char* argument) {
  const char* const colon = strchr(argument, ':');
  return colon ? strtoul(colon + 1, NULL, 10) : 0;
}

/// The repetitions that the command line asks for; 0, which PE 0 explains, for a wrong one.
static int repeats_of(int argc, char** argv, int least_pes) {
  const int repeats = argc > 2 ? atoi(argv[2]) : 0;
  if (repeats >= 1 && repeats <= kMostRepeats && pes >= least_pes) return repeats;
  if (me == 0)
    fprintf(stderr, "usage: %s MS REPEATS FIGURE:BYTES..., with %d PEs or more\n", argv[0],
            least_pes);
  return 0;
}

/// The bytes of the largest transfer that the command line asks for.
static size_t largest_of(int argc, char** argv) {
  size_t largest = 8;
  for (int i = 3; i < argc; ++i)
    if (bytes_of(argv[i]) > largest) largest = bytes_of(argv[i]);
  return largest;
}

static void measure_all(const struct figure* figures, size_t number, int argc, char** argv) {
  for (int i = 3; i < argc; ++i) {
    bytes = bytes_of(argv[i]);
    const size_t length = strcspn(argv[i], ":");
    for (size_t k = 0; k < number; ++k)
      if (strlen(figures[k].name) == length && strncmp(figures[k].name, argv[i], length) == 0)
        measure(&figures[k], atof(argv[1]) * 1e6, atoi(argv[2]));
  }
}
