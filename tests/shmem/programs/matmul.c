// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Matrix product: rows of A and C are distributed, rows of B are fetched, the next ones while this
// PE computes.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRowsEach = 12 };

static int npes, me, size;

static double a_at(int i, int j) { return (i + 2 * j) % 7; }
static double b_at(int i, int j) { return (3 * i + j) % 5; }

static void fetch(double* to, const double* b, int block) {
  shmem_double_get_nbi(to, b, (size_t)(kRowsEach * size), block % npes);
}

static void multiply(double* c, const double* a, const double* b, int block) {
  for (int i = 0; i < kRowsEach; ++i) {
    for (int k = 0; k < kRowsEach; ++k) {
      for (int j = 0; j < size; ++j)
        c[i * size + j] += a[i * size + block * kRowsEach + k] * b[k * size + j];
    }
  }
}

static int is_right(const double* c) {
  for (int i = 0; i < kRowsEach; ++i) {
    for (int j = 0; j < size; ++j) {
      double sum = 0;
      for (int k = 0; k < size; ++k) sum += a_at(me * kRowsEach + i, k) * b_at(k, j);
      if (c[i * size + j] != sum) return 0;
    }
  }
  return 1;
}

int main(void) {
  shmem_init();
  npes = shmem_n_pes();
  me = shmem_my_pe();
  size = npes * kRowsEach;
  const size_t count = (size_t)(kRowsEach * size);
  double *a = malloc(count * sizeof *a), *c = calloc(count, sizeof *c),
         *b = shmem_malloc(count * sizeof *b);
  double* parts[2] = {malloc(count * sizeof *a), malloc(count * sizeof *a)};
  for (size_t i = 0; i < count; ++i) {
    a[i] = a_at(me * kRowsEach + (int)i / size, (int)i % size);
    b[i] = b_at(me * kRowsEach + (int)i / size, (int)i % size);
  }
  shmem_barrier_all();
  fetch(parts[0], b, me);
  for (int step = 0; step < npes; ++step) {
    shmem_quiet();
    if (step + 1 < npes) fetch(parts[(step + 1) % 2], b, me + step + 1);
    multiply(c, a, parts[step % 2], (me + step) % npes);
  }
  if (!is_right(c)) {
    fprintf(stderr, "PE %d: a wrong product\n", me);
    shmem_global_exit(1);
  }
  shmem_barrier_all();
  shmem_free(b);
  free(a), free(c), free(parts[0]), free(parts[1]);
  shmem_finalize();
  return 0;
}
