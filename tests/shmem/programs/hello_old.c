// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.0: no finalize, names without a prefix; each PE greets PE 0.
#include <mpp/shmem.h>
#include <stdio.h>
#include <string.h>

enum { kLength = 48, kMostPes = 256 };

static char greetings[kMostPes][kLength];

int main(void) {
  char own[kLength], expected[kLength];
  int pe, me, npes;
  start_pes(0);
  me = _my_pe();
  npes = _num_pes();
  sprintf(own, "hello from %d of %d", me, npes);
  shmem_putmem(greetings[me], own, kLength, 0);
  shmem_barrier_all();
  if (me != 0) return 0;
  for (pe = 0; pe < npes; ++pe) {
    sprintf(expected, "hello from %d of %d", pe, npes);
    if (strcmp(greetings[pe], expected) != 0) {
      fprintf(stderr, "PE %d said \"%s\"\n", pe, greetings[pe]);
      return 1;
    }
  }
  return 0;
}
