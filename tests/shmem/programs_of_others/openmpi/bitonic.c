/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Bitonic sort: PEs compare their halves with a partner and keep the lower or the upper part.
 *
 * build: oshcc -std=c99 -O1 -Wall bitonic.c -o bitonic
 * run: echo "localhost slots=4" > hosts
 * run: oshrun -np 4 --hostfile hosts --mca pml ob1 --mca btl vader,self ./bitonic 500 | sort -n
 * prints: 0: 500 keys in order, ok
 * prints: 1: 500 keys in order, ok
 * prints: 2: 500 keys in order, ok
 * prints: 3: 500 keys in order, ok
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void* a, const void* b) {
  const long x = *(const long*)a, y = *(const long*)b;
  return (x > y) - (x < y);
}

/* Of two sorted arrays the lower or the upper n keys. */
static void keep(long* out, const long* a, const long* b, int n, int lower) {
  if (lower) {
    for (int i = 0, j = 0, k = 0; k < n; k++) out[k] = a[i] <= b[j] ? a[i++] : b[j++];
  } else {
    for (int i = n - 1, j = n - 1, k = n - 1; k >= 0; k--) out[k] = a[i] >= b[j] ? a[i--] : b[j--];
  }
}

static void exchange(long* keys, long* theirs, long* kept, int n, int partner, int lower) {
  shmem_barrier_all();
  shmem_long_get(theirs, keys, n, partner);
  keep(kept, keys, theirs, n, lower);
  shmem_barrier_all();
  memcpy(keys, kept, n * sizeof(long));
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 100;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  long *keys = shmem_malloc(n * sizeof(long)), *theirs = malloc(n * sizeof(long));
  long *kept = malloc(n * sizeof(long)), sum = 0, wrong = 0;
  static long total = 0;

  if (npes & (npes - 1)) {
    if (me == 0) fprintf(stderr, "%d PEs are no power of two\n", npes);
    shmem_global_exit(2);
  }
  srand(me + 1);
  for (int i = 0; i < n; i++) sum += keys[i] = rand() % 100000;
  qsort(keys, n, sizeof(long), compare);
  for (int size = 2; size <= npes; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      const int partner = me ^ step, is_up = (me & size) == 0;
      exchange(keys, theirs, kept, n, partner, (me < partner) == is_up);
    }

  for (int i = 0; i < n; i++) sum -= keys[i];
  shmem_long_add(&total, sum, 0);
  shmem_barrier_all();
  for (int i = 1; i < n; i++) wrong += keys[i - 1] > keys[i];
  if (me > 0) wrong += shmem_long_g(&keys[n - 1], me - 1) > keys[0];
  wrong += shmem_long_g(&total, 0) != 0;
  printf("%d: %d keys in order, %s\n", me, n, wrong ? "NOT" : "ok");
  free(kept);
  free(theirs);
  shmem_free(keys);
  shmem_finalize();
  return wrong != 0;
}
