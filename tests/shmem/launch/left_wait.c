// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// left_wait CASE: a wait of each PE has a check, which leaves it or not. left: the PE does nothing
// then. nested: the check waits, once. ends: the last PE ends without a wait.
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static uint64_t signal_word;
static long flag;

static int leave(void* context) {
  (void)context;
  return 1;
}
static int stay(void* context) {
  (void)context;
  return 0;
}
/// Its own wait is left, and the first one goes on.
static int waitAndStay(void* context) {
  (void)context;
  shmemx_set_wait_check(leave, NULL);
  shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
  shmemx_set_wait_check(stay, NULL);
  return 0;
}

int main(int count, char** words) {
  if (count != 2) return 2;
  const int ends = strcmp(words[1], "ends") == 0, nested = strcmp(words[1], "nested") == 0;
  shmem_init();
  shmem_barrier_all();
  if (ends && shmem_my_pe() == shmem_n_pes() - 1) return 0;
  shmemx_set_wait_check(ends ? stay : nested ? waitAndStay : leave, NULL);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_NE, 0);
  pause();
}
