// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.2: sums over the even PEs, with two sets of work arrays in turn.
#include <shmem.h>
#include <stdio.h>

enum {
  kCount = 40,
  kWork = kCount / 2 + 1 > _SHMEM_REDUCE_MIN_WRKDATA_SIZE ? kCount / 2 + 1
                                                          : _SHMEM_REDUCE_MIN_WRKDATA_SIZE
};

static long sync_words[2][_SHMEM_REDUCE_SYNC_SIZE];
static double work[2][kWork], source[kCount], target[kCount];

static int is_right(int members, int time) {
  for (int i = 0; i < kCount; ++i) {
    /* Member k has PE 2 k. */
    const double expected = members * (i + time) + members * (members - 1.0);
    if (target[i] != expected) return 0;
  }
  return 1;
}

int main(void) {
  start_pes(0);
  const int me = _my_pe(), members = (_num_pes() + 1) / 2;
  for (int i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; ++i)
    sync_words[0][i] = sync_words[1][i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  for (int time = 0; time < 200 && me % 2 == 0; ++time) {
    for (int i = 0; i < kCount; ++i) source[i] = me + i + time;
    shmem_double_sum_to_all(target, source, kCount, 0, 1, members, work[time % 2],
                            sync_words[time % 2]);
    if (!is_right(members, time)) {
      fprintf(stderr, "PE %d: the sums of time %d are wrong\n", me, time);
      shmem_global_exit(1);
    }
  }
  return 0;
}
