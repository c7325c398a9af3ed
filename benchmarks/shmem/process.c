// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a PE costs as a process: memory and descriptors after init, and a wait of a second. PE 0
// prints the lines. Compiled with WITHOUT_SHMEM it is an empty program, to compare with, and wakes
// with nothing but the kernel.
//
//   process memory      bytes that the machine needs for this PE (Pss), and descriptors
//   process idle        nanoseconds of processor time that PE 1 takes to wait for a second
//   process wake        nanoseconds until PE 1, which sleeps, goes on after a put of PE 0
#define _GNU_SOURCE
#include <dirent.h>
#include <string.h>

#include "lines.h"

static int me;

static double memory(void) {
  FILE* const file = fopen("/proc/self/smaps_rollup", "r");
  char line[256];
  long kib = 0;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "Pss: %ld kB", &kib) == 1) break;
  if (file) fclose(file);
  return (double)kib * 1024;
}

static double descriptors(void) {
  DIR* const folder = opendir("/proc/self/fd");
  int count = -1;  // the folder
  for (const struct dirent* entry; folder && (entry = readdir(folder));)
    count += entry->d_name[0] != '.';
  if (folder) closedir(folder);
  return count;
}

static void print_memory(void) {
  double taken = memory(), open = descriptors();
  if (me != 0) return;
  print_figure("memory", 0, &taken, 1);
  print_figure("descriptors", 0, &open, 1);
}

enum { kWakes = 20, kBetweenWakesMs = 25 };

#ifdef WITHOUT_SHMEM
#include "bare_wake.h"

int main(int argc, char** argv) {
  double times[kWakes];
  if (argc < 2 || strcmp(argv[1], "wake") != 0) {
    print_memory();
  } else {
    bare_wakes(times, kWakes, kBetweenWakesMs);
    print_figure("wake", 0, times, kWakes);
  }
  return 0;
}
#else
#include <shmem.h>

// PE 0 raises `flag` of PE 1, which answers with a time and then with `answered`.
static long *flag, *answered;
static double* answer;

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double idle(int number) {
  const double before = processor_time();
  shmem_long_wait_until(flag, SHMEM_CMP_GE, number);
  return processor_time() - before;
}

static double woken(int number) {
  shmem_long_wait_until(flag, SHMEM_CMP_GE, number);
  return nanoseconds();
}

/// PE 0 sleeps, then raises the flag; returns when it did so, and in `*answer` is what PE 1 found.
static double raise_after(long ms, int number, double (*wait)(int)) {
  double time = 0;
  if (me == 0) {
    sleep_ms(ms);
    time = nanoseconds();
    shmem_long_p(flag, number, 1);
    shmem_long_wait_until(answered, SHMEM_CMP_GE, number);
  } else if (me == 1) {
    shmem_double_p(answer, wait(number), 0);
    shmem_fence();
    shmem_long_p(answered, number, 0);
  }
  return time;
}

static void print_idle(void) {
  raise_after(1000, 1, idle);
  if (me == 0) print_figure("idle", 0, answer, 1);
}

static void print_wake(void) {
  double times[kWakes];
  for (int i = 0; i < kWakes; ++i) {
    const double begin = raise_after(kBetweenWakesMs, i + 1, woken);
    times[i] = *answer - begin;
  }
  if (me == 0) print_figure("wake", 0, times, kWakes);
}

int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  flag = shmem_calloc(8, sizeof(long));
  answered = shmem_calloc(8, sizeof(long));
  answer = shmem_calloc(8, sizeof(double));
  shmem_barrier_all();
  const char* const what = argc > 1 ? argv[1] : "memory";
  if (strcmp(what, "idle") == 0) print_idle();
  if (strcmp(what, "wake") == 0) print_wake();
  if (strcmp(what, "memory") == 0) print_memory();
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
#endif
