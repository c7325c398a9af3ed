/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * pi by the midpoint rule: PEs draw pieces of the work as tickets, the fast ones more.
 *
 * build: oshcc -std=c99 -O2 tickets.c -o tickets -lm
 * run: export PIECES=96
 * run: oshrun -n 3 -x STEPS=96000 -x PIECES --bind-to socket ./tickets
 * prints: 96 pieces were done
 * prints: pi is 3.1415926536
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static int ticket = 0;
static int drawn, all_drawn, iwrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static double part = 0, pi, dwrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long isync[SHMEM_REDUCE_SYNC_SIZE], dsync[SHMEM_REDUCE_SYNC_SIZE];

static double integrate(int first, int last, int steps) {
  double sum = 0;
  for (int i = first; i < last; i++) {
    const double x = (i + 0.5) / steps;
    sum += 4.0 / (1.0 + x * x) / steps;
  }
  return sum;
}

int main(void) {
  const char *steps_text = getenv("STEPS"), *pieces_text = getenv("PIECES");
  int mine, wrong;
  start_pes(0);
  if (steps_text == NULL || pieces_text == NULL) {
    fprintf(stderr, "STEPS and PIECES must be set\n");
    return 2;
  }
  const int steps = atoi(steps_text), pieces = atoi(pieces_text), size = steps / pieces;
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) isync[i] = dsync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  while ((mine = shmem_int_finc(&ticket, 0)) < pieces) {
    part += integrate(mine * size, (mine + 1) * size, steps);
    drawn++;
  }
  shmem_int_sum_to_all(&all_drawn, &drawn, 1, 0, 0, _num_pes(), iwrk, isync);
  shmem_double_sum_to_all(&pi, &part, 1, 0, 0, _num_pes(), dwrk, dsync);
  wrong = all_drawn != pieces || fabs(pi - acos(-1.0)) > 1e-9;
  if (_my_pe() == 0) printf("%d pieces were done\npi is %.10f\n", all_drawn, pi);
  shmem_barrier_all();
  return wrong;
}
