// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// C = A B in blocks: a block of A goes along the row of PEs, one of B along the column.
// build: oshcc -std=c11 -O3 -Wall -Wextra summa.c -o summa -lm
// run: oshrun -ppn 4 ./summa 16
// prints: C[0][0] = 1554, C[31][31] = -1489: ok
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static int n;

static double a_of(int r, int c) { return (r + 2 * c) % 7; }
static double b_of(int r, int c) { return r - c; }

static double c_of(int r, int c, int size) {
  double sum = 0;
  for (int k = 0; k < size; ++k) sum += a_of(r, k) * b_of(k, c);
  return sum;
}

static void add_product(double* c, const double* a, const double* b) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(int argc, char** argv) {
  shmem_team_t row, column;
  static int wrong, all_wrong;

  shmem_init();
  n = argc > 1 ? atoi(argv[1]) : 8;
  const int side = (int)lround(sqrt(shmem_n_pes()));
  if (side * side != shmem_n_pes()) {
    if (shmem_my_pe() == 0) fprintf(stderr, "a square of PEs is needed\n");
    shmem_global_exit(2);
  }
  shmem_team_split_2d(SHMEM_TEAM_WORLD, side, NULL, 0, &row, NULL, 0, &column);
  const int x = shmem_team_my_pe(row), y = shmem_team_my_pe(column);
  const size_t block = (size_t)n * (size_t)n;
  double* memory = shmem_calloc(5 * block, sizeof *memory);
  double *a = memory, *b = a + block, *c = b + block, *a_k = c + block, *b_k = a_k + block;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a[i * n + j] = a_of(y * n + i, x * n + j);
      b[i * n + j] = b_of(y * n + i, x * n + j);
    }
  for (int k = 0; k < side; ++k) {
    shmem_team_sync(row);
    shmem_broadcast(row, a_k, a, block, k);
    shmem_team_sync(column);
    shmem_broadcast(column, b_k, b, block, k);
    add_product(c, a_k, b_k);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wrong += c[i * n + j] != c_of(y * n + i, x * n + j, side * n);
  shmem_sum_reduce(SHMEM_TEAM_WORLD, &all_wrong, &wrong, 1);
  if (shmem_my_pe() == 0)
    printf("C[0][0] = %g, C[%d][%d] = %g: %s\n", c[0], side * n - 1, side * n - 1,
           shmem_g(&c[block - 1], shmem_n_pes() - 1), all_wrong ? "WRONG" : "ok");
  shmem_team_sync(SHMEM_TEAM_WORLD);
  shmem_team_destroy(row);
  shmem_team_destroy(column);
  shmem_free(memory);
  shmem_finalize();
  return all_wrong != 0;
}
