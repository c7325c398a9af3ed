// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Threads of a PE: some compute and publish by atomics, one waits for their peers.
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

enum { kThreads = 4, kRounds = 50 };

static long progress[kThreads]; /* of the equal threads of the PE before */
static long results[kThreads];

static void* work(void* argument) {
  const int index = (int)((long*)argument - progress);
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  long sum = 0;
  for (long round = 1; round <= kRounds; ++round) {
    sum += round * (index + 1);
    shmem_long_p(&results[index], sum, next);
    shmem_fence();
    shmem_long_atomic_inc(&progress[index], next);
    shmem_long_wait_until(&progress[index], SHMEM_CMP_GE, round);
  }
  return NULL;
}

static void* supervise(void* argument) {
  int* right = argument;
  shmem_long_wait_until_all(progress, kThreads, NULL, SHMEM_CMP_EQ, kRounds);
  for (int i = 0; i < kThreads; ++i)
    *right &= results[i] == (i + 1) * (kRounds * (kRounds + 1L) / 2);
  return NULL;
}

int main(void) {
  int provided, right = 1;
  pthread_t threads[kThreads], supervisor;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided < SHMEM_THREAD_MULTIPLE)
    return 2;
  pthread_create(&supervisor, NULL, supervise, &right);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, &progress[i]);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  pthread_join(supervisor, NULL);
  if (!right) {
    fprintf(stderr, "PE %d: wrong results\n", shmem_my_pe());
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
