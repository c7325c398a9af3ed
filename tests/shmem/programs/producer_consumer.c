// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.5: each PE but 0 produces; PE 0 takes with wait_until_any whatever has come, and
// gives credit.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kItems = 300, kMostPes = 256 };

static uint64_t
    ready[kMostPes];         /* at the consumer: the number of the newest item of each producer */
static long items[kMostPes]; /* at the consumer */
static uint64_t taken;       /* at a producer */

static long item_of(int pe, uint64_t number) { return pe * 100000L + (long)number * (long)number; }

static void produce(int me) {
  for (uint64_t number = 1; number <= kItems; ++number) {
    const long item = item_of(me, number);
    shmem_long_put_signal(&items[me], &item, 1, &ready[me], number, SHMEM_SIGNAL_SET, 0);
    shmem_uint64_wait_until(&taken, SHMEM_CMP_EQ, number);
  }
}

/* Producers that have nothing any more are left out. */
static void consume(int npes) {
  int ended[kMostPes] = {1};
  uint64_t seen[kMostPes] = {0};
  for (long left = (npes - 1L) * kItems; left > 0; --left) {
    const size_t pe =
        shmem_uint64_wait_until_any_vector(ready, (size_t)npes, ended, SHMEM_CMP_GT, seen);
    if (pe == 0 || pe >= (size_t)npes || items[pe] != item_of((int)pe, ++seen[pe])) {
      fprintf(stderr, "a wrong item of PE %zu\n", pe);
      shmem_global_exit(1);
    }
    ended[pe] = seen[pe] == kItems;
    shmem_uint64_atomic_set(&taken, seen[pe], (int)pe);
  }
  if (shmem_uint64_wait_until_any(ready, (size_t)npes, ended, SHMEM_CMP_GT, kItems) != SIZE_MAX &&
      npes > 1)
    shmem_global_exit(2);
}

int main(void) {
  shmem_init();
  if (shmem_my_pe() == 0) {
    consume(shmem_n_pes());
  } else {
    produce(shmem_my_pe());
  }
  shmem_finalize();
  return 0;
}
