// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.2: everybody puts a block to everybody, each beginning elsewhere.
#include <shmem.h>
#include <stdio.h>

enum { kBlock = 2000 };

static int check(const int* blocks, int npes, int me) {
  for (int from = 0; from < npes; ++from) {
    for (int i = 0; i < kBlock; ++i) {
      if (blocks[from * kBlock + i] != from * 1000003 + me * 101 + i) return 0;
    }
  }
  return 1;
}

int main(void) {
  static int own[kBlock];
  start_pes(0);
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  int* blocks = shmalloc((size_t)npes * kBlock * sizeof *blocks);
  if (blocks == NULL) return 1;
  for (int step = 0; step < npes; ++step) {
    const int to = (me + step) % npes;
    for (int i = 0; i < kBlock; ++i) own[i] = me * 1000003 + to * 101 + i;
    shmem_int_put(&blocks[me * kBlock], own, kBlock, to);
  }
  shmem_barrier_all();
  if (!check(blocks, npes, me)) {
    fprintf(stderr, "PE %d has wrong blocks\n", me);
    return 1;
  }
  shfree(blocks);
  return 0;
}
