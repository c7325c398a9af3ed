// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <shmem.h>
#include <stdio.h>

/// Each PE prints lines of its own length, in pieces, as programs do, and never flushes: many times
/// what a buffer of the C library holds. A last line has no end.
enum { kLines = 200 };

int main(void) {
  printf("PE ?: before shmem_init\n");
  shmem_init();
  const int me = shmem_my_pe();
  for (int line = 0; line < kLines; ++line) {
    printf("PE %d: ", me);
    printf("line %d of %d ", line, kLines);
    for (int i = 0; i < 20 + me; ++i) putchar('a' + me % 26);
    printf(".\n");
  }
  shmem_barrier_all();
  if (me == 0) printf("end");
  shmem_finalize();
}
