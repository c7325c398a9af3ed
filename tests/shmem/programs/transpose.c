// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A distributed matrix is transposed, with iput, and back, with iget.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRowsEach = 10 };

static long value_of(int i, int j) { return i * 10000L + j; }

static int is_right(const long* rows, int size, int transposed) {
  const int first = shmem_my_pe() * kRowsEach;
  for (int i = 0; i < kRowsEach; ++i) {
    for (int j = 0; j < size; ++j) {
      if (rows[i * size + j] != (transposed ? value_of(j, first + i) : value_of(first + i, j)))
        return 0;
    }
  }
  return 1;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes(), size = npes * kRowsEach,
            first = me * kRowsEach;
  const size_t count = (size_t)(kRowsEach * size);
  long *rows = shmem_malloc(count * sizeof *rows), *columns = shmem_calloc(count, sizeof *columns);
  for (int i = 0; i < kRowsEach; ++i) {
    for (int j = 0; j < size; ++j) rows[i * size + j] = value_of(first + i, j);
  }
  shmem_barrier_all();
  /* A part of an own row becomes a part of a column of a peer. */
  for (int i = 0; i < kRowsEach; ++i) {
    for (int pe = 0; pe < npes; ++pe)
      shmem_long_iput(&columns[first + i], &rows[i * size + pe * kRowsEach], size, 1, kRowsEach,
                      pe);
  }
  shmem_barrier_all();
  if (!is_right(columns, size, 1)) shmem_global_exit(1);
  for (size_t i = 0; i < count; ++i) rows[i] = -1;
  for (int i = 0; i < kRowsEach; ++i) {
    for (int pe = 0; pe < npes; ++pe)
      shmem_long_iget(&rows[i * size + pe * kRowsEach], &columns[first + i], 1, size, kRowsEach,
                      pe);
  }
  if (!is_right(rows, size, 0)) shmem_global_exit(2);
  shmem_barrier_all();
  shmem_free(columns);
  shmem_free(rows);
  shmem_finalize();
  return 0;
}
