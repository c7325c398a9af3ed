// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <sched.h>

/// Runs on the processor of this number among those that the program may use.
static inline void pin(int number) {
  cpu_set_t usable, one;
  sched_getaffinity(0, sizeof usable, &usable);
  number %= CPU_COUNT(&usable);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &usable) && number-- == 0) CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}
