// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// global_exit WHO STATUS: PE WHO ('all': each) ends the job, 'thread': PE 0 from a thread; the others
// are in a barrier.
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* leave(void* status) { shmem_global_exit(*(int*)status); }

int main(int count, char** words) {
  if (count != 3) return 2;
  int provided, status = atoi(words[2]);
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  const int is_in_thread = strcmp(words[1], "thread") == 0;
  const int leaves = strcmp(words[1], "all") == 0 || atoi(words[1]) == shmem_my_pe();
  printf("flushed\n");
  shmem_barrier_all();  // who is still in shmem_init when the job ends has printed nothing
  if (is_in_thread && shmem_my_pe() == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, leave, &status);
  } else if (leaves && !is_in_thread) {
    shmem_global_exit(status);
  }
  for (;;) shmem_barrier_all();
}
