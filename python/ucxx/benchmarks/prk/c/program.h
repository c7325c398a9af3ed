// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What all kernels share beside communication: their arguments, the clock, and what they print.

#pragma once

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "world.h"

enum { WRONG_RESULT = 1, WRONG_ARGUMENTS = 2 };

// Says on PE 0 what is wrong; returns the exit status. All PEs call it.
__attribute__((format(printf, 1, 2))) static inline int refuse(const char* format, ...) {
  if (world_me() == 0) {
    va_list values;
    va_start(values, format);
    fputs("error: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
  }
  return WRONG_ARGUMENTS;
}

// Whether the argument is a number from 'least' to a milliard; else it has been refused.
static inline bool read_number(const char* name, const char* text, long least, long* number) {
  const long most = 1000000000;
  char* end = NULL;
  errno = 0;
  *number = strtol(text, &end, 10);
  if (end != text && *end == '\0' && errno == 0 && *number >= least && *number <= most) return true;
  refuse("%s: '%s': a number from %ld to %ld would do", name, text, least, most);
  return false;
}

// Whether each PE gets one of so many things; else they have been refused.
static inline bool are_enough(const char* name, long number) {
  if (number >= world_pes()) return true;
  refuse("%s %ld is too little for %d PEs: at least %d would do", name, number, world_pes(),
         world_pes());
  return false;
}

// Takes --json out of the arguments.
static inline bool take_json(int* argc, char** argv) {
  int kept = 0;
  for (int i = 0; i < *argc; i++)
    if (strcmp(argv[i], "--json") != 0) argv[kept++] = argv[i];
  const bool taken = kept < *argc;
  *argc = kept;
  return taken;
}

static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The measured iterations of a kernel, after one that warms up.
struct timing {
  long iterations;
  long begun;
  double start;
  double seconds;  // of all measured ones, here
};

// Whether another iteration is to be done. The clock starts when all PEs have warmed up, and ends
// when all are ready: PEs that share processors may compute after each other.
static inline bool goes_on(struct timing* timing) {
  if (timing->begun == 1) {
    world_barrier();
    timing->start = now();
  }
  if (timing->begun++ <= timing->iterations) return true;
  world_barrier();
  timing->seconds = now() - timing->start;
  return false;
}

// The memory of a PE, all of it 0.
static inline double* new_doubles(size_t count) {
  const size_t line = 64;
  const size_t bytes = (count * sizeof(double) + line - 1) / line * line;
  double* const first = aligned_alloc(line, bytes + line);
  if (first == NULL) {
    fprintf(stderr, "error: no memory for %zu bytes: use smaller sizes or more PEs\n", bytes);
    exit(WRONG_ARGUMENTS);
  }
  memset(first, 0, bytes);
  return first;
}

// How many of 'total' things come before those of a part: parts differ by one at most.
static inline long first_of(long total, int parts, int part) {
  const long rest = total % parts;
  return total / parts * part + (part < rest ? part : rest);
}

// How many of 'total' things a part has.
static inline long share_of(long total, int parts, int part) {
  return total / parts + (part < total % parts);
}

// Columns of a grid of PEs: the largest divisor of their number up to its root.
static inline int columns_of(int pes) {
  int columns = 1;
  for (int i = 2; i <= pes / i; i++)
    if (pes % i == 0) columns = i;
  return columns;
}

struct size {
  const char* name;
  long value;
};

struct result {
  const char* kernel;
  const char* variant;   // NULL: there is one only
  struct size sizes[2];  // the name NULL: no second one
  const char* unit;
  long iterations;
  double work;     // of an iteration, in that unit times seconds
  double seconds;  // of all iterations, here
  double found;
  double expected;
};

static inline bool is_valid(double found, double expected) {
  const double error = found > expected ? found - expected : expected - found;
  return error <= 1e-8 * (expected > 1 ? expected : 1);
}

static inline void print_text(const struct result* result, double seconds, bool valid) {
  printf("%s, C, %s, %d PEs", result->kernel, WORLD_MODEL, world_pes());
  if (result->variant != NULL) printf(", %s", result->variant);
  for (int i = 0; i < 2 && result->sizes[i].name != NULL; i++)
    printf(", %s %ld", result->sizes[i].name, result->sizes[i].value);
  if (valid)
    puts("\nSolution validates");
  else
    printf("\nSolution does not validate: %.17g, not %.17g\n", result->found, result->expected);
  printf("Rate: %.6g %s, %.6g s an iteration\n", result->work / seconds, result->unit, seconds);
}

static inline void print_json(const struct result* result, double seconds, bool valid) {
  printf("{\"kernel\": \"%s\", \"language\": \"c\", \"model\": \"%s\", \"pes\": %d, ",
         result->kernel, WORLD_MODEL, world_pes());
  if (result->variant != NULL) printf("\"variant\": \"%s\", ", result->variant);
  for (int i = 0; i < 2 && result->sizes[i].name != NULL; i++)
    printf("\"%s\": %ld, ", result->sizes[i].name, result->sizes[i].value);
  printf("\"iterations\": %ld, \"seconds\": %.9g, \"rate\": %.9g, \"unit\": \"%s\", ",
         result->iterations, seconds, result->work / seconds, result->unit);
  printf("\"valid\": %s}\n", valid ? "true" : "false");
}

// Prints, on PE 0, the rate of the slowest PE; returns the exit status. 'found' is that of PE 0.
static inline int report(const struct result* result, bool json) {
  const double seconds = world_largest(result->seconds) / (double)result->iterations;
  if (world_me() != 0) return 0;
  const bool valid = is_valid(result->found, result->expected);
  (json ? print_json : print_text)(result, seconds, valid);
  return valid ? 0 : WRONG_RESULT;
}

// The kernel; returns the exit status.
static int run_program(int argc, char** argv);

int main(int argc, char** argv) {
  world_start(&argc, &argv);
  const int status = run_program(argc, argv);
  world_end();
  return status;
}
