/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Buffers at the borders of large pages, as for DMAPP: each is passed round the ring once.
 *
 * build: oshcc -O2 -Wall huge_pages.c -o huge_pages
 * run: SHMEM_SYMMETRIC_SIZE=128M oshrun -n 2 ./huge_pages
 * prints: alignment     4 MiB: ok
 * prints: alignment    16 MiB: ok
 * prints: alignment    64 KiB: ok
 * prints: alignment     2 MiB: ok
 * prints: more than there is: refused, ok
 */
#include <mpp/shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 8192

static int failures = 0;

static int is_at_border(const void* p, size_t border) { return p && (uintptr_t)p % border == 0; }

/* Both ends must be at a border: here, and as the others are seen from here. */
static int are_at_border(const void* p, size_t border) {
  int pe, right = is_at_border(p, border);
  for (pe = 0; pe < _num_pes(); pe++) right = right && is_at_border(shmem_ptr(p, pe), border);
  return right;
}

static int pass_round(long* buffer) {
  const int me = _my_pe(), npes = _num_pes(), from = (me + npes - 1) % npes;
  long* const source = shmalloc(WORDS * sizeof *source);
  int i, right = source != NULL;
  for (i = 0; i < WORDS; i++) source[i] = me * 100000L + i;
  shmem_barrier_all();
  shmem_long_put(buffer, source, WORDS, (me + 1) % npes);
  shmem_barrier_all();
  for (i = 0; i < WORDS; i++) right = right && buffer[i] == from * 100000L + i;
  shfree(source);
  return right;
}

static void try_border(const char* name, size_t border, int is_old) {
  long* const buffer = is_old ? shmemalign(border, WORDS * sizeof *buffer)
                              : shmem_align(border, WORDS * sizeof *buffer);
  const int right = are_at_border(buffer, border) && pass_round(buffer);
  if (!right) failures++;
  if (_my_pe() == 0) printf("alignment %9s: %s\n", name, right ? "ok" : "WRONG");
  if (buffer) shfree(buffer);
}

int main(void) {
  void *before, *much;
  start_pes(0);
  before = shmalloc(24);
  try_border("4 MiB", (size_t)4 << 20, 0);
  try_border("16 MiB", (size_t)16 << 20, 0);
  try_border("64 KiB", (size_t)64 << 10, 1);
  try_border("2 MiB", (size_t)2 << 20, 1);
  much = shmem_align((size_t)16 << 20, (size_t)1 << 40);
  if (much != NULL || shmalloc((size_t)1 << 41) != NULL) failures++;
  if (_my_pe() == 0) printf("more than there is: %s\n", failures ? "WRONG" : "refused, ok");
  shfree(before);
  return failures != 0;
}
