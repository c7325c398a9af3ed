// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The figures of program.py in C: calls MS REPEATS FIGURE:BYTES... PE 0 prints a line of JSON for
// each, the nanoseconds of a call of each run. What is not here is left out.
#define _GNU_SOURCE
#include <sched.h>
#include <shmem.h>
#include <stdint.h>
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
static size_t bytes;  // of a copy
static char *source, *target;
static int64_t *word, *flag, *total, *all_of_us;
static int64_t turn, *done, *shared;
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

static void ping_pong(long count) {
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
    {"ping_pong", kPair, ping_pong, 4},
    {"barrier_all", kAll, barrier, 1},
    {"fcollect", kAll, fcollect, 1},
    {"sum_reduce", kAll, sum, 1},
    {"zeros_free", kAll, zeros_free, 1},
    {"bandwidth", kOne, copy, 1},
};

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void tell(int64_t* object, int64_t value) {
  for (int pe = 0; pe < pes; ++pe) shmem_int64_p(object, value, pe);
}

/// The value of PE 0, on all PEs.
static long agreed(long value) {
  shmem_barrier_all();
  if (me == 0) tell(shared, value);
  shmem_barrier_all();
  return *shared;
}

static void compute_meanwhile(void) {
  ++turn;
  if (me == 0) tell(done, turn);
  while (*(volatile int64_t*)done != turn) sched_yield();
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
  shmem_barrier_all();
  if (me != 0) return;
  printf("{\"figure\": \"%s\", \"bytes\": %zu, \"ns\": [", figure->name, bytes);
  for (int i = 0; i < repeats; ++i) printf("%s%.3f", i ? ", " : "", times[i]);
  printf("]}\n");
  fflush(stdout);
}

/// Pages of its own: the speed of a copy depends on the addresses within a page.
static char* pages(size_t size) {
  void* const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) shmem_global_exit(1);
  return memset(memory, 1, size);
}

static size_t bytes_of(char* argument) {
  char* const colon = strchr(argument, ':');
  return colon ? strtoul(colon + 1, NULL, 10) : 0;
}

static void begin(size_t largest) {
  word = shmem_calloc(8, sizeof *word);
  flag = shmem_calloc(8, sizeof *flag);
  done = shmem_calloc(8, sizeof *done);
  shared = shmem_calloc(8, sizeof *shared);
  total = shmem_calloc(8, sizeof *total);
  all_of_us = shmem_calloc((size_t)pes, sizeof *all_of_us);
  target = shmem_align(kPage, largest);
  if (!target) shmem_global_exit(1);
  memset(target, 0, largest);
  source = pages(largest);
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  size_t largest = sizeof *word;
  const int repeats = argc > 2 ? atoi(argv[2]) : 0;
  if (repeats < 1 || repeats > kMostRepeats || pes < 2) {
    if (me == 0) fprintf(stderr, "usage: calls MS REPEATS FIGURE:BYTES..., with 2 PEs or more\n");
    shmem_global_exit(2);
  }
  for (int i = 3; i < argc; ++i)
    if (bytes_of(argv[i]) > largest) largest = bytes_of(argv[i]);
  begin(largest);
  for (int i = 3; i < argc; ++i) {
    bytes = bytes_of(argv[i]);
    const size_t length = strcspn(argv[i], ":");
    for (size_t k = 0; k < sizeof figures / sizeof *figures; ++k)
      if (strlen(figures[k].name) == length && strncmp(figures[k].name, argv[i], length) == 0)
        measure(&figures[k], atof(argv[1]) * 1e6, repeats);
  }
  shmem_finalize();
  return 0;
}
