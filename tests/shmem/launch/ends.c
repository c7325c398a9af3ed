// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// ends CALL ENDING: the last PE ends while all others are in a call that needs it.
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long lock, flag, source, target;

static int is(const char* word, const char* name) { return strcmp(word, name) == 0; }

static void end(const char* ending) {
  if (is(ending, "kill")) raise(SIGKILL);
  if (is(ending, "segv")) raise(SIGSEGV);
  if (is(ending, "abort")) abort();
  if (is(ending, "stop")) raise(SIGSTOP);
  if (is(ending, "pause")) pause();
  exit(atoi(ending));
}

static void call(const char* name, int last) {
  if (is(name, "shmem_barrier_all")) shmem_barrier_all();
  if (is(name, "shmem_sync_all")) shmem_sync_all();
  if (is(name, "shmem_team_sync")) shmem_team_sync(SHMEM_TEAM_WORLD);
  if (is(name, "shmem_long_wait_until")) shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
  if (is(name, "shmem_set_lock")) shmem_set_lock(&lock);
  if (is(name, "shmem_malloc")) shmem_malloc(64);
  if (is(name, "shmem_finalize")) shmem_finalize();
  if (is(name, "shmem_long_sum_reduce"))
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &target, &source, 1);
  if (is(name, "shmem_long_broadcast"))
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &target, &source, 1, last);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  // Before there is memory, oshrun's variable tells who this is.
  const char* launch = getenv("TEST_PE");
  const int in_init = is(words[1], "shmem_init");
  if (in_init && launch != NULL && is(launch, "last")) end(words[2]);
  shmem_init();
  const int last = shmem_n_pes() - 1;
  if (is(words[1], "shmem_set_lock") && shmem_my_pe() == last) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (shmem_my_pe() == last) end(words[2]);
  call(words[1], last);
  printf("PE %d was not held\n", shmem_my_pe());
  return 0;
}
