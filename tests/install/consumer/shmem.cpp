// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A program of OpenSHMEM outside the clone: the sum of all PEs' numbers.
#include <shmem.h>

static int mine, sum;

int main() {
  shmem_init();
  const int pes = shmem_n_pes();
  mine = shmem_my_pe() + 1;
  shmem_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
  const bool is_right = sum == pes * (pes + 1) / 2;
  shmem_finalize();
  return is_right ? 0 : 1;
}
