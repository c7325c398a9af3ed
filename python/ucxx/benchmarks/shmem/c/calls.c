// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The figures of program.py in C: measure.h has the arguments.
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>

#include "measure.h"
#include "world.h"

static char *source, *target;
static int64_t *word, *flag, *total, *all_of_us;
static long turn, *done;
static volatile int64_t sink;

#define REPEAT(call) \
  for (long i = 0; i < count; ++i) call

static void put(long count) {
  const int64_t value = 7;
  REPEAT(shmem_int64_put(word, &value, 1, 1));
}

static void get(long count) {
  int64_t value;
  REPEAT(shmem_int64_get(&value, word, 1, 1));
}

static void fetch_add(long count) { REPEAT(sink = shmem_int64_atomic_fetch_add(word, 1, 1)); }
static void inc(long count) { REPEAT(shmem_int64_atomic_inc(word, 1)); }
static void test(long count) { REPEAT(sink = shmem_int64_test(word, SHMEM_CMP_EQ, -1)); }
static void my_pe(long count) { REPEAT(sink = shmem_my_pe()); }
static void fence(long count) { REPEAT(shmem_fence()); }
static void quiet(long count) { REPEAT(shmem_quiet()); }
static void barrier(long count) { REPEAT(shmem_barrier_all()); }
static void copy(long count) { REPEAT(shmem_putmem(target, source, bytes, 1)); }
static void zeros_free(long count) { REPEAT(shmem_free(shmem_calloc(1, sizeof *word))); }

static void fcollect(long count) {
  REPEAT(shmem_int64_fcollect(SHMEM_TEAM_WORLD, all_of_us, word, 1));
}

static void sum(long count) { REPEAT(shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, total, word, 1)); }

static void send_flag(int64_t value) { shmem_int64_put(flag, &value, 1, 1 - me); }
static void await_flag(int64_t value) { shmem_int64_wait_until(flag, SHMEM_CMP_EQ, value); }

static void put_wait(long count) {
  for (long i = 0; i < 2 * count; ++i) {
    const int64_t value = i % 2 == 0;
    if (me == 1) await_flag(value);
    send_flag(value);
    if (me == 0) await_flag(value);
  }
}

static const struct figure figures[] = {
    {"put", kOne, put, 1},
    {"get", kOne, get, 1},
    {"fetch_add", kOne, fetch_add, 1},
    {"inc", kOne, inc, 1},
    {"test", kOne, test, 1},
    {"my_pe", kOne, my_pe, 1},
    {"fence", kOne, fence, 1},
    {"quiet", kOne, quiet, 1},
    {"put_wait", kPair, put_wait, 4},
    {"barrier_all", kAll, barrier, 1},
    {"fcollect", kAll, fcollect, 1},
    {"sum_reduce", kAll, sum, 1},
    {"zeros_free", kAll, zeros_free, 1},
    {"bandwidth", kOne, copy, 1},
};

static void compute_meanwhile(void) {
  ++turn;
  if (me == 0) tell(done, turn);
  while (*(volatile long*)done != turn) sched_yield();
}

static double time_of(const struct figure* figure, long count) {
  const int parts = figure->who == kOne ? 1 : figure->who == kPair ? 2 : pes;
  shmem_barrier_all();
  const double begin = nanoseconds();
  if (me < parts) figure->run(count);
  if (me == 0 && figure->who == kOne) shmem_quiet();
  const double taken = nanoseconds() - begin;
  if (figure->who == kOne) compute_meanwhile();
  return taken;
}

static void make(size_t largest) {
  word = symmetric(8 * sizeof *word);
  flag = symmetric(8 * sizeof *flag);
  done = symmetric(8 * sizeof *done);
  total = symmetric(8 * sizeof *total);
  all_of_us = symmetric((size_t)pes * sizeof *all_of_us);
  target = symmetric(largest);
  source = pages(largest);
  meet();
}

int main(int argc, char** argv) {
  begin();
  if (repeats_of(argc, argv, 2) == 0) end(2);
  make(largest_of(argc, argv));
  measure_all(figures, sizeof figures / sizeof *figures, argc, argv);
  end(0);
  return 0;
}
