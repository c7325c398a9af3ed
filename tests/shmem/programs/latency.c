// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// In the manner of micro-benchmarks: put and get latency by size, on the heap and on static memory.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMostBytes = 1 << 16, kTimes = 50, kSkipped = 5 };

static char static_buffer[kMostBytes];

static double now_us(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

typedef void (*transfer_t)(void*, const void*, size_t, int);

static double latency(transfer_t transfer, char* to, const char* from, size_t bytes, int pe) {
  double begin = 0;
  for (int i = 0; i < kTimes + kSkipped; ++i) {
    if (i == kSkipped) begin = now_us();
    transfer(to, from, bytes, pe);
    shmem_quiet();
  }
  return (now_us() - begin) / kTimes;
}

static void require_all(const char* buffer, size_t bytes, int value, const char* what) {
  for (size_t i = 0; i < bytes; ++i) {
    if (buffer[i] != (char)value) {
      fprintf(stderr, "%s of %zu bytes: byte %zu is %d\n", what, bytes, i, buffer[i]);
      shmem_global_exit(1);
    }
  }
}

/* PE 0 measures, its peer looks. */
static void measure(char* buffer, char* local, const char* kind) {
  const int me = shmem_my_pe(), peer = shmem_n_pes() - 1;
  for (size_t bytes = 1; bytes <= kMostBytes; bytes *= 4) {
    memset(buffer, me == peer ? 'p' : 'o', bytes);
    memset(local, 's', bytes);
    shmem_barrier_all();
    if (me == 0)
      printf("%s put %6zu %9.2f us\n", kind, bytes,
             latency(shmem_putmem, buffer, local, bytes, peer));
    shmem_barrier_all();
    if (me == peer) require_all(buffer, bytes, 's', kind);
    if (me == 0)
      printf("%s get %6zu %9.2f us\n", kind, bytes,
             latency(shmem_getmem, local, buffer, bytes, peer));
    if (me == 0) require_all(local, bytes, 's', kind);
    shmem_barrier_all();
  }
}

int main(void) {
  shmem_init();
  char *heap_buffer = shmem_malloc(kMostBytes), *local = malloc(kMostBytes);
  if (heap_buffer == NULL || local == NULL) shmem_global_exit(1);
  measure(heap_buffer, local, "heap");
  measure(static_buffer, local, "global");
  free(local);
  shmem_free(heap_buffer);
  shmem_finalize();
  return 0;
}
