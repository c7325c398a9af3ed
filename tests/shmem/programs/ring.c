// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.3: a token goes round; each PE adds its number.
#include <shmem.h>
#include <stdio.h>

enum { kRounds = 100 };

static long token = -1;

int main(void) {
  int me, npes;
  long sum = 0, per_round;
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  per_round = npes * (npes - 1L) / 2;
  for (int round = 0; round < kRounds; ++round) {
    if (me == 0) shmem_long_p(&token, round * per_round, 1 % npes);
    if (me != 0 || npes > 1) shmem_long_wait_until(&token, SHMEM_CMP_NE, -1);
    sum = token + me;
    token = -1;
    if (me != 0) shmem_long_p(&token, sum, (me + 1) % npes);
    if (me == 0 && sum != (round + 1) * per_round) {
      fprintf(stderr, "round %d: %ld\n", round, sum);
      shmem_global_exit(1);
    }
  }
  shmem_finalize();
  return 0;
}
