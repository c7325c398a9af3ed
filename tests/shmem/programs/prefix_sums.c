// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.6: where each PE's part of a packed array begins, by exscan and inscan.
#include <shmem.h>
#include <stdio.h>

static long long lengths[2], begins[2], ends[2];
static int packed[100000];

static long long length_of(int pe) { return (pe * 37 + 11) % 50; }

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  lengths[0] = length_of(me);
  lengths[1] = 1;
  if (shmem_longlong_sum_exscan(SHMEM_TEAM_WORLD, begins, lengths, 2) != 0) shmem_global_exit(2);
  if (shmem_longlong_sum_inscan(SHMEM_TEAM_WORLD, ends, lengths, 2) != 0) shmem_global_exit(2);
  if (begins[1] != me || ends[1] != me + 1 || ends[0] - begins[0] != lengths[0])
    shmem_global_exit(3);
  int own[50];
  for (int i = 0; i < 50; ++i) own[i] = me * 1000 + i;
  shmem_int_put(&packed[begins[0]], own, (size_t)lengths[0], npes - 1);
  shmem_barrier_all();
  const int* at = packed;
  for (int pe = 0; pe < npes && me == npes - 1; ++pe) {
    for (int i = 0; i < length_of(pe); ++i) {
      if (*at++ != pe * 1000 + i) shmem_global_exit(1);
    }
  }
  shmem_finalize();
  return 0;
}
