// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// What the kernel needs to wake a process on another processor: no library can do it sooner. (On
// the processor of who wakes it, which sleeps then, it takes a third: PEs that poll do not share
// one.)

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning.h"

struct bare_bell {
  _Atomic uint32_t rings;
  _Atomic uint32_t answers;
  _Atomic double woken;  ///< when, in nanoseconds
};

static inline void sleep_until_rung(struct bare_bell* bell, uint32_t ring) {
  while (atomic_load(&bell->rings) < ring)
    syscall(SYS_futex, &bell->rings, FUTEX_WAIT, ring - 1, NULL, NULL, 0);
}

static inline void ring_bell(struct bare_bell* bell, uint32_t ring) {
  atomic_store(&bell->rings, ring);
  syscall(SYS_futex, &bell->rings, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/// The child sleeps; the parent rings after `ms` each time. `times` receives how long each wake
/// took.
static inline void bare_wakes(double* times, uint32_t count, long ms) {
  struct bare_bell* const bell = (struct bare_bell*)mmap(NULL, sizeof *bell, PROT_READ | PROT_WRITE,
                                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const struct timespec pause = {0, ms * 1000000};
  if (bell == MAP_FAILED) exit(1);
  const pid_t child = fork();
  pin(child == 0 ? 1 : 0);
  for (uint32_t ring = 1; child == 0 && ring <= count; ++ring) {
    sleep_until_rung(bell, ring);
    atomic_store(&bell->woken, nanoseconds());
    atomic_store(&bell->answers, ring);
  }
  if (child == 0) _exit(0);
  for (uint32_t ring = 1; ring <= count; ++ring) {
    nanosleep(&pause, NULL);
    const double begin = nanoseconds();
    ring_bell(bell, ring);
    while (atomic_load(&bell->answers) < ring) continue;
    times[ring - 1] = atomic_load(&bell->woken) - begin;
  }
  waitpid(child, NULL, 0);
}
