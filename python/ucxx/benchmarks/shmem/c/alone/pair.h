// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Not a pair: one process, which copies the bytes itself.
#pragma once

#include "measure.h"

enum { kLeastPes = 1 };

static char *source, *target;

static void meet(void) {}
static long agreed(long value) { return value; }

static void begin(void) { pes = 1; }

static void end(int status) {
  if (status != 0) exit(status);
}

static void make(size_t largest) {
  source = pages(largest);
  target = pages(largest);
}

static void copy(long count) {
  for (long i = 0; i < count; ++i) {
    memcpy(target, source, bytes);
    __asm__ volatile("" : : "r"(target) : "memory");  // else one copy would be enough
  }
}

static const struct figure figures[] = {{"ping_pong_memcpy", kOne, copy, 1}};
