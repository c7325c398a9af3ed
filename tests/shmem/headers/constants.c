// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What programs do with types and constants, from C99 and C++11 on.
#include <shmem.h>

// Static initialisers.
shmem_team_t team = SHMEM_TEAM_WORLD;
shmem_team_t teams[] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED};
shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
struct pair {
  shmem_ctx_t ctx;
  long options;
} pairs[] = {{SHMEM_CTX_INVALID, 0},
             {SHMEM_CTX_DEFAULT, SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE}};
shmem_team_config_t team_config = {0};
shmem_ctx_session_config_t session_config = {SIZE_MAX};
long hints = SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE;
long session_options = SHMEM_CTX_SESSION_BATCH;
long masks[] = {SHMEM_TEAM_NUM_CONTEXTS, SHMEM_CTX_SESSION_TOTAL_OPS};
long pSync[SHMEM_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED,
                SHMEM_THREAD_MULTIPLE};

// Sizes of arrays; and the vendor's text fits.
long barrier_sync[SHMEM_BARRIER_SYNC_SIZE + _SHMEM_BARRIER_SYNC_SIZE];
long bcast_sync[SHMEM_BCAST_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE];
long collect_sync[SHMEM_COLLECT_SYNC_SIZE + _SHMEM_COLLECT_SYNC_SIZE];
long reduce_sync[SHMEM_REDUCE_SYNC_SIZE + _SHMEM_REDUCE_SYNC_SIZE];
long alltoall_sync[SHMEM_ALLTOALL_SYNC_SIZE + _SHMEM_ALLTOALL_SYNC_SIZE];
long alltoalls_sync[SHMEM_ALLTOALLS_SYNC_SIZE + _SHMEM_ALLTOALLS_SYNC_SIZE];
int pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE + _SHMEM_REDUCE_MIN_WRKDATA_SIZE];
char name[SHMEM_MAX_NAME_LEN] = SHMEM_VENDOR_STRING;
char old_name[_SHMEM_MAX_NAME_LEN] = _SHMEM_VENDOR_STRING;

// True, or the array has no size.
typedef char thread_levels_increase[SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED &&
                                            SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
                                            SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE
                                        ? 1
                                        : -1];
typedef char
    old_names_are_equal[_SHMEM_CMP_EQ == SHMEM_CMP_EQ && _SHMEM_CMP_NE == SHMEM_CMP_NE &&
                                _SHMEM_CMP_GT == SHMEM_CMP_GT && _SHMEM_CMP_GE == SHMEM_CMP_GE &&
                                _SHMEM_CMP_LT == SHMEM_CMP_LT && _SHMEM_CMP_LE == SHMEM_CMP_LE &&
                                _SHMEM_SYNC_VALUE == SHMEM_SYNC_VALUE
                            ? 1
                            : -1];
#if SHMEM_MAJOR_VERSION != 1 || SHMEM_MINOR_VERSION != 6 || _SHMEM_MAJOR_VERSION != 1 || \
    _SHMEM_MINOR_VERSION != 6
#error not version 1.6
#endif

// Labels of a switch.
int compare(int operation, long a, long b);
int compare(int operation, long a, long b) {
  switch (operation) {
    case SHMEM_CMP_EQ:
      return a == b;
    case SHMEM_CMP_NE:
      return a != b;
    case SHMEM_CMP_GT:
      return a > b;
    case SHMEM_CMP_GE:
      return a >= b;
    case SHMEM_CMP_LT:
      return a < b;
    case SHMEM_CMP_LE:
      return a <= b;
    default:
      return -1;
  }
}

int is_add(int signal_operator);
int is_add(int signal_operator) {
  switch (signal_operator) {
    case SHMEM_SIGNAL_SET:
      return 0;
    case SHMEM_SIGNAL_ADD:
      return 1;
    default:
      return -1;
  }
}

// Handles are compared.
int is_world(shmem_team_t which);
int is_world(shmem_team_t which) {
  return which != SHMEM_TEAM_INVALID && which == SHMEM_TEAM_WORLD;
}

#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L
// No warning that a result is missing.
int ends(void);
int ends(void) { shmem_global_exit(1); }
#endif

// Functions have addresses, those with a generic of the same name too.
#ifndef __cplusplus
void (*puts_longs)(long*, const long*, size_t, int) = shmem_long_put;
#endif
void (*waits)(long*, int, long) = shmem_wait_until;
void (*signals)(uint64_t*, uint64_t, int) = shmem_signal_add;
void (*syncs)(int, int, int, long*) = shmem_sync;
