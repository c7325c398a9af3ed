/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Money moves between accounts of all PEs, two locks at a time; locks were volatile once.
 *
 * build: oshcc -O1 bank.c -o bank
 * run: oshrun -n 3 ./bank 150
 * prints: 450 transfers, 1200 in all accounts: ok
 */
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 4

static volatile long locks[64 * ACCOUNTS];
static long balance[ACCOUNTS];
static int audits = 0;

static long read_all(void) {
  long sum = 0;
  int pe, i;
  for (pe = 0; pe < _num_pes(); pe++)
    for (i = 0; i < ACCOUNTS; i++) sum += shmem_long_g(&balance[i], pe);
  return sum;
}

/* In the order of their numbers, so that nobody waits in a circle. */
static void lock_both(int a, int b) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  while (shmem_test_lock(&locks[low])) continue;
  shmem_set_lock(&locks[high]);
}

static void move(int from, int to, long amount) {
  const int from_pe = from / ACCOUNTS, to_pe = to / ACCOUNTS;
  long *const source = &balance[from % ACCOUNTS], *const target = &balance[to % ACCOUNTS];
  lock_both(from, to);
  if (shmem_long_g(source, from_pe) >= amount) {
    shmem_long_p(source, shmem_long_g(source, from_pe) - amount, from_pe);
    shmem_long_p(target, shmem_long_g(target, to_pe) + amount, to_pe);
  }
  shmem_quiet();
  shmem_clear_lock(&locks[from]);
  shmem_clear_lock(&locks[to]);
}

/* With all locks nobody moves anything. */
static int audit(long expected) {
  const int all = ACCOUNTS * _num_pes();
  int i, right;
  for (i = 0; i < all; i++) shmem_set_lock(&locks[i]);
  right = read_all() == expected;
  for (i = all - 1; i >= 0; i--) shmem_clear_lock(&locks[i]);
  if (right) shmem_int_inc(&audits, 0);
  return right;
}

int main(int argc, char** argv) {
  const int transfers = argc > 1 ? atoi(argv[1]) : 20;
  int i, me, npes, right = 1;
  long expected;
  start_pes(0);
  me = _my_pe();
  npes = _num_pes();
  expected = 100L * ACCOUNTS * npes;
  for (i = 0; i < ACCOUNTS; i++) balance[i] = 100;
  srand(me + 5);
  shmem_barrier_all();
  for (i = 0; i < transfers; i++) {
    const int from = rand() % (ACCOUNTS * npes);
    const int to = (from + 1 + rand() % (ACCOUNTS * npes - 1)) % (ACCOUNTS * npes);
    move(from, to, rand() % 50);
    if (i % 50 == 49) right = audit(expected) && right;
  }
  shmem_barrier_all();
  right = right && read_all() == expected && shmem_int_g(&audits, 0) == npes * (transfers / 50);
  if (me == 0)
    printf("%d transfers, %ld in all accounts: %s\n", transfers * npes, read_all(),
           right ? "ok" : "WRONG");
  shmem_barrier_all();
  return !right;
}
