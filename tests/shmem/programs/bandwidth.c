// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// In the manner of micro-benchmarks: windows of non-blocking puts, then of gets; message rate.
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { kWindow = 16, kTimes = 8, kMostBytes = 1 << 15 };

static char static_memory[kWindow * kMostBytes];

static double now_s(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void window_of_puts(char* to, const char* from, size_t bytes, int pe) {
  for (int i = 0; i < kWindow; ++i) shmem_putmem_nbi(to + i * bytes, from + i * bytes, bytes, pe);
  shmem_quiet();
}

static void window_of_gets(char* to, const char* from, size_t bytes, int pe) {
  for (int i = 0; i < kWindow; ++i) shmem_getmem_nbi(to + i * bytes, from + i * bytes, bytes, pe);
  shmem_quiet();
}

typedef void (*window_t)(char*, const char*, size_t, int);

static void measure(const char* what, window_t window, char* to, const char* from, size_t bytes,
                    int pe) {
  const double begin = now_s();
  for (int i = 0; i < kTimes; ++i) window(to, from, bytes, pe);
  const double seconds = now_s() - begin;
  printf("%s %6zu %10.1f MB/s %10.0f messages/s\n", what, bytes,
         kTimes * kWindow * bytes / seconds / 1e6, kTimes * kWindow / seconds);
}

static void fill(char* memory, size_t bytes, int salt) {
  for (size_t i = 0; i < bytes; ++i) memory[i] = (char)(i * 7 + salt);
}

static int is_filled(const char* memory, size_t bytes, int salt) {
  for (size_t i = 0; i < bytes; ++i) {
    if (memory[i] != (char)(i * 7 + salt)) return 0;
  }
  return 1;
}

/* The lower half of the PEs talks to the upper one. */
static void test(char* theirs, char* own) {
  const int half = shmem_n_pes() / 2, me = shmem_my_pe(), is_talking = me < half;
  for (size_t bytes = 1; bytes <= kMostBytes; bytes *= 8) {
    fill(own, kWindow * bytes, me);
    memset(theirs, 0, kWindow * bytes);
    shmem_barrier_all();
    if (is_talking) measure("put", window_of_puts, theirs, own, bytes, me + half);
    shmem_barrier_all();
    if (me >= half && me < 2 * half && !is_filled(theirs, kWindow * bytes, me - half))
      shmem_global_exit(1);
    memset(own, 0, kWindow * bytes);
    if (is_talking) measure("get", window_of_gets, own, theirs, bytes, me + half);
    if (is_talking && !is_filled(own, kWindow * bytes, me)) shmem_global_exit(2);
    shmem_barrier_all();
  }
}

int main(void) {
  shmem_init();
  char* heap_memory = shmem_malloc(kWindow * kMostBytes);
  test(heap_memory, static_memory);
  test(static_memory, heap_memory);
  shmem_free(heap_memory);
  shmem_finalize();
  return 0;
}
