// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.4: two contexts; results of a step leave on one while the other fetches the next
// input.
#include <shmem.h>
#include <stdio.h>

enum { kBlock = 500, kBlocks = 30 };

static long input[kBlocks * kBlock], output[kBlocks * kBlock];

static long value_of(int pe, int i) { return pe * 100000L + i; }

static void fetch(shmem_ctx_t context, long* to, int block, int from) {
  if (block < kBlocks) shmem_ctx_long_get_nbi(context, to, &input[block * kBlock], kBlock, from);
}

int main(void) {
  static long blocks[2][kBlock], results[2][kBlock];
  shmem_ctx_t gets, puts;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes(), from = (me + 1) % npes,
            to = (me + npes - 1) % npes;
  if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &gets) != 0) shmem_global_exit(2);
  if (shmem_ctx_create(SHMEM_CTX_NOSTORE, &puts) != 0) shmem_global_exit(2);
  for (int i = 0; i < kBlocks * kBlock; ++i) input[i] = value_of(me, i);
  shmem_barrier_all();
  fetch(gets, blocks[0], 0, from);
  for (int block = 0; block < kBlocks; ++block) {
    shmem_ctx_quiet(gets);
    fetch(gets, blocks[(block + 1) % 2], block + 1, from);
    shmem_ctx_quiet(puts);
    for (int i = 0; i < kBlock; ++i) results[block % 2][i] = 3 * blocks[block % 2][i];
    shmem_ctx_long_put_nbi(puts, &output[block * kBlock], results[block % 2], kBlock, to);
  }
  shmem_ctx_destroy(puts);
  shmem_ctx_destroy(gets);
  shmem_barrier_all();
  for (int i = 0; i < kBlocks * kBlock; ++i) {
    if (output[i] == 3 * value_of((me + 2) % npes, i)) continue;
    fprintf(stderr, "PE %d: output[%d] is %ld\n", me, i, output[i]);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
