/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * A parameter set is broadcast in each step, always to the same array, and always without a
 * barrier: two arrays for the synchronisation take turns. Now and then a PE is slow.
 *
 * build: oshcc -std=gnu99 -O2 bcast_turns.c -o bcast_turns
 * run: oshrun -np 3 -mca scoll basic ./bcast_turns 120
 * prints: 120 steps from each of 3 roots: ok
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORDS 512

static long set[WORDS], given[WORDS];
static long pSync[2][_SHMEM_BCAST_SYNC_SIZE];
static int failures = 0;

static int step(int number, int root) {
  int i, wrong = 0;
  if (shmem_my_pe() == root)
    for (i = 0; i < WORDS; i++) given[i] = number * 1000L + i;
  shmem_broadcast64(set, given, WORDS, root, 0, 0, shmem_n_pes(), pSync[number % 2]);
  if (shmem_my_pe() == root) return 0;
  if (number % 10 == shmem_my_pe()) usleep(500);
  for (i = 0; i < WORDS; i++) wrong += set[i] != number * 1000L + i;
  return wrong != 0;
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 20;
  int i, root, wrong = 0;
  shmem_init();
  for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++) pSync[0][i] = pSync[1][i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  for (root = 0; root < shmem_n_pes(); root++) {
    for (i = 0; i < steps; i++) wrong += step(i, root);
    shmem_barrier_all();
  }
  if (wrong) {
    fprintf(stderr, "PE %d: %d of its steps were wrong\n", shmem_my_pe(), wrong);
    shmem_int_inc(&failures, 0);
  }
  shmem_barrier_all();
  wrong = shmem_int_g(&failures, 0);
  if (shmem_my_pe() == 0)
    printf("%d steps from each of %d roots: %s\n", steps, shmem_n_pes(), wrong ? "WRONG" : "ok");
  shmem_finalize();
  return wrong != 0;
}
