// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.5: sums along rows and columns of a grid, and over every second PE, from the last one
// down.
#include <shmem.h>
#include <stdio.h>

static int source, dest, all[256];

static int sum_over(shmem_team_t team) {
  if (shmem_int_sum_reduce(team, &dest, &source, 1) != 0) shmem_global_exit(2);
  const int sum = dest;
  shmem_team_sync(team);
  return sum;
}

static int expected_over(shmem_team_t team) {
  int sum = 0;
  for (int i = 0; i < shmem_team_n_pes(team); ++i)
    sum += shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD) + 1;
  return sum;
}

static void test(const char* name, shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  if (sum_over(team) == expected_over(team)) return;
  fprintf(stderr, "PE %d: the sum over the %s is %d\n", shmem_my_pe(), name, dest);
  shmem_global_exit(1);
}

int main(void) {
  shmem_init();
  const int npes = shmem_n_pes();
  const shmem_team_config_t config = {.num_contexts = 1};
  shmem_team_t row, column, down;
  source = shmem_my_pe() + 1;
  if (shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &row, NULL, 0,
                          &column) != 0)
    return 3;
  if (shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -2, (npes + 1) / 2, NULL, 0, &down) != 0)
    return 3;
  test("row", row);
  test("column", column);
  test("descending team", down);
  if (down != SHMEM_TEAM_INVALID) {
    if (shmem_int_fcollect(down, all, &source, 1) != 0) return 4;
    for (int i = 0; i < shmem_team_n_pes(down); ++i) {
      if (all[i] != npes - 2 * i) shmem_global_exit(5);
    }
    shmem_team_destroy(down);
  }
  shmem_team_destroy(row);
  shmem_team_destroy(column);
  shmem_finalize();
  return 0;
}
