// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// What the programs print: `NAME BYTES BEST MEDIAN` for each figure.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static inline int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static inline void print_figure(const char* name, size_t size, double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  printf("%s %zu %.2f %.2f\n", name, size, values[0], values[count / 2]);
  fflush(stdout);
}
