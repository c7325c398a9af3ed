// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.2: a broadcast of its own, along a binomial tree, beside shmem_broadcast64.
#include <shmem.h>
#include <stdio.h>

enum { kCount = 100 };

static long data[kCount], library_data[kCount], source[kCount];
static long arrived = 0;
static long sync_words[_SHMEM_BCAST_SYNC_SIZE] = {_SHMEM_SYNC_VALUE};

/* Numbers relative to the root: each sends to those that differ in a bit above its own highest one.
 */
static void own_broadcast(int root, long round) {
  const int npes = shmem_n_pes(), number = (shmem_my_pe() - root + npes) % npes;
  int bit = 1;
  if (number != 0) {
    shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, round);
    while (bit <= number) bit *= 2;
  }
  for (; number + bit < npes; bit *= 2) {
    const int to = (number + bit + root) % npes;
    shmem_long_put(data, data, kCount, to);
    shmem_fence();
    shmem_long_p(&arrived, round, to);
  }
}

int main(void) {
  start_pes(0);
  const int me = _my_pe(), npes = _num_pes();
  for (int root = 0; root < npes; ++root) {
    for (int i = 0; i < kCount; ++i) source[i] = data[i] = library_data[i] = me * 1000 + i;
    shmem_barrier_all();
    own_broadcast(root, root + 1);
    shmem_broadcast64(library_data, source, kCount, root, 0, 0, npes, sync_words);
    for (int i = 0; i < kCount; ++i) {
      if (data[i] != root * 1000 + i || library_data[i] != data[i]) {
        fprintf(stderr, "PE %d, root %d: %ld and %ld\n", me, root, data[i], library_data[i]);
        shmem_global_exit(1);
      }
    }
    shmem_barrier_all();
  }
  return 0;
}
