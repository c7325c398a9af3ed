/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * A token goes round and is counted down by PE 0. Nobody finalizes: version 1.0 had no such call.
 *
 * build: oshcc -std=c99 -Wall ring.c -o ring
 * run: oshrun -v -np 4 --mca btl self,vader --oversubscribe --allow-run-as-root ./ring
 * prints: PE 0 sends 10 to PE 1 (4 PEs in the ring)
 * prints: PE 0 leaves: 10 rounds, ok
 */
#include <shmem.h>
#include <stdio.h>

static volatile int token = -1;

int main(void) {
  int me, npes, next, rounds = 0, value = 10;
  start_pes(0);
  me = shmem_my_pe();
  npes = shmem_n_pes();
  next = (me + 1) % npes;

  if (me == 0) {
    printf("PE 0 sends %d to PE %d (%d PEs in the ring)\n", value, next, npes);
    shmem_int_p((int*)&token, value, next);
  }
  while (value > 0) {
    shmem_int_wait_until(&token, SHMEM_CMP_NE, -1);
    value = token;
    token = -1;
    if (me == 0) {
      --value;
      ++rounds;
    }
    if (me != 0 || value > 0) shmem_int_p((int*)&token, value, next);
    /* The others leave after they have passed on a 1, which PE 0 makes a 0. */
    if (me != 0 && value == 1) break;
  }
  if (me != 0) return value == 1 ? 0 : 1;
  printf("PE 0 leaves: %d rounds, %s\n", rounds, rounds == 10 ? "ok" : "WRONG");
  return rounds == 10 ? 0 : 1;
}
