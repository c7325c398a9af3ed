/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * A matrix is transposed in three ways: blocks by alltoall, columns by iput, elements by p.
 *
 * build: oshcc -std=c11 transpose.c -o transpose
 * run: oshrun -np 4 --tag-output -x SHMEM_SYMMETRIC_SIZE=16m --bind-to none ./transpose
 * prints: [0] alltoall64 16 x 16: ok
 * prints: [0] iput 16 x 16: ok
 * prints: [0] p 16 x 16: ok
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long pSync[SHMEM_ALLTOALL_SYNC_SIZE], rSync[SHMEM_REDUCE_SYNC_SIZE];
static int wrong, all_wrong, pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int me, npes, rows, n;
static int64_t *a, *t, *in, *out;

static void by_alltoall(void) {
  for (int pe = 0; pe < npes; pe++)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < rows; j++) out[(pe * rows + j) * rows + i] = a[i * n + pe * rows + j];
  shmem_barrier_all();
  shmem_alltoall64(in, out, (size_t)(rows * rows), 0, 0, npes, pSync);
  for (int pe = 0; pe < npes; pe++)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < rows; j++) t[i * n + pe * rows + j] = in[(pe * rows + i) * rows + j];
}

static void by_iput(void) {
  for (int i = 0; i < rows; i++)
    for (int pe = 0; pe < npes; pe++)
      shmem_iput(&t[me * rows + i], &a[i * n + pe * rows], n, 1, (size_t)rows, pe);
}

static void by_p(void) {
  shmem_ctx_t ctx;
  shmem_ctx_create(0, &ctx);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      shmem_p(ctx, &t[(j % rows) * n + me * rows + i], a[i * n + j], j / rows);
  shmem_ctx_quiet(ctx);
  shmem_ctx_destroy(ctx);
}

static void try(const char* name, void (*transpose)(void)) {
  for (int i = 0; i < rows * n; i++) t[i] = -1;
  shmem_barrier_all();
  transpose();
  shmem_barrier_all();
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) wrong += t[i * n + j] != j * 1000 + me * rows + i;
  shmem_int_sum_to_all(&all_wrong, &wrong, 1, 0, 0, npes, pWrk, rSync);
  if (me == 0) printf("%s %d x %d: %s\n", name, n, n, all_wrong ? "WRONG" : "ok");
}

int main(void) {
  int major, minor;
  shmem_init();
  shmem_info_get_version(&major, &minor);
  me = shmem_my_pe();
  npes = shmem_n_pes();
  rows = 4;
  n = rows * npes;
  if (major < 1 || !shmem_pe_accessible(npes - 1)) return 3;
  for (int i = 0; i < SHMEM_ALLTOALL_SYNC_SIZE; i++) pSync[i] = SHMEM_SYNC_VALUE;
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) rSync[i] = SHMEM_SYNC_VALUE;
  a = shmem_malloc(4 * (size_t)(rows * n) * sizeof *a);
  t = a + rows * n, in = t + rows * n, out = in + rows * n;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) a[i * n + j] = (me * rows + i) * 1000 + j;
  try("alltoall64", by_alltoall);
  try("iput", by_iput);
  try("p", by_p);
  shmem_free(a);
  shmem_finalize();
  return all_wrong != 0;
}
