/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Works until the batch system says, by SIGUSR1 to the launcher, that the time is over. Then all
 * PEs stop at the same step and write what they have; SIGUSR2 before that says how far they are.
 *
 * build: oshcc -std=gnu99 -Wall usr1.c -o usr1
 * run: oshrun -np 3 ./usr1 > log &
 * run: until grep -qs working log; do kill -0 $!; sleep 0.02; done
 * run: kill -USR2 $!
 * run: until [ $(grep -c "PE . is at work" log) = 3 ]; do kill -0 $!; sleep 0.02; done
 * run: kill -USR1 $!
 * run: wait $!
 * run: cat log
 * prints: PE 0 is at work
 * prints: PE 2 is at work
 * prints: all PEs have stopped at the same step: ok
 */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t is_asked = 0, is_over = 0;
static int over, any_over, wrk[2][_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long step = 0, last[2], ends[2];
static long lwrk[_SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
static long pSync[3][_SHMEM_REDUCE_SYNC_SIZE];

static void on_signal(int number) {
  if (number == SIGUSR1)
    is_over = 1;
  else
    is_asked = 1;
}

static void work(void) {
  const struct timespec little = {0, 1000000};
  nanosleep(&little, NULL);
  if (is_asked) {
    is_asked = 0;
    printf("PE %d is at work\n", shmem_my_pe());
    fflush(stdout);
  }
}

int main(void) {
  int i;
  signal(SIGUSR1, on_signal);
  signal(SIGUSR2, on_signal);
  shmem_init();
  for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++)
    pSync[0][i] = pSync[1][i] = pSync[2][i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    printf("working\n");
    fflush(stdout);
  }
  do {
    work();
    over = is_over;
    shmem_int_max_to_all(&any_over, &over, 1, 0, 0, shmem_n_pes(), wrk[step % 2], pSync[step % 2]);
    step++;
  } while (!any_over);

  last[0] = step;
  last[1] = -step;
  shmem_long_max_to_all(ends, last, 2, 0, 0, shmem_n_pes(), lwrk, pSync[2]);
  if (shmem_my_pe() == 0)
    printf("all PEs have stopped at the same step: %s\n", ends[0] == -ends[1] ? "ok" : "NO");
  shmem_finalize();
  return ends[0] != -ends[1];
}
