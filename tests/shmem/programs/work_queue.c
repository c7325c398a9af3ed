// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A queue of tasks in the memory of PE 0 behind a lock; tasks make tasks.
#include <shmem.h>
#include <stdio.h>

enum { kRoom = 4096, kFirst = 16 };

/* At PE 0. A task n > 1 makes the tasks n / 2 and n - n / 2; 1 counts. */
static int tasks[kRoom];
static int count = 0;
static long lock = 0;
static long pending = 0, ones = 0;

static void push(int task) {
  shmem_set_lock(&lock);
  const int at = shmem_int_g(&count, 0);
  shmem_int_p(&tasks[at], task, 0);
  shmem_int_p(&count, at + 1, 0);
  shmem_clear_lock(&lock);
}

/* 0: there is none now. */
static int pop(void) {
  int task = 0;
  if (shmem_test_lock(&lock) != 0) shmem_set_lock(&lock);
  const int at = shmem_int_g(&count, 0);
  if (at > 0) {
    task = shmem_int_g(&tasks[at - 1], 0);
    shmem_int_p(&count, at - 1, 0);
  }
  shmem_clear_lock(&lock);
  return task;
}

static void run(int task) {
  if (task == 1) {
    shmem_long_atomic_inc(&ones, 0);
  } else {
    shmem_long_atomic_add(&pending, 2, 0);
    push(task / 2);
    push(task - task / 2);
  }
  shmem_quiet();
  shmem_long_atomic_add(&pending, -1, 0);
}

int main(void) {
  shmem_init();
  if (shmem_my_pe() == 0) {
    shmem_long_atomic_set(&pending, kFirst, 0);
    for (int i = 0; i < kFirst; ++i) push(20);
  }
  shmem_barrier_all();
  while (shmem_long_atomic_fetch(&pending, 0) > 0) {
    const int task = pop();
    if (task > 0) run(task);
  }
  shmem_barrier_all();
  if (shmem_long_g(&ones, 0) != 20 * kFirst || shmem_int_g(&count, 0) != 0) {
    fprintf(stderr, "%ld ones, %d tasks\n", shmem_long_g(&ones, 0), shmem_int_g(&count, 0));
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
