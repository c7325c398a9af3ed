// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// For libraries of OpenSHMEM 1.4, which have no teams: the collectives of teams that the kernels
// call, by those of active sets.

#pragma once

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Two arrays for synchronisation and for sums, in turn: a PE that has left a call may begin the
// next one while others are still in the first. It has left a second call when all have entered
// that one, so they have left the first. Not so with broadcasts: the root waits for nobody.
struct active_set {
  int start, log_stride, size;
  long* sync[2];
  double* work[2];
  size_t work_count;
  int turn;
};

typedef struct active_set* shmem_team_t;

#define SHMEM_TEAM_WORLD active_set_of_all()

// Ends the job where there is no memory. All PEs call it.
static inline void* active_set_memory(size_t bytes) {
  void* const memory = shmem_malloc(bytes);
  if (memory == NULL) {
    fprintf(stderr, "error: no %zu bytes of symmetric memory: set SHMEM_SYMMETRIC_SIZE\n", bytes);
    shmem_global_exit(2);
  }
  return memory;
}

static inline struct active_set* new_active_set(int start, int log_stride, int size) {
  struct active_set* const set = calloc(1, sizeof *set);
  set->start = start;
  set->log_stride = log_stride;
  set->size = size;
  const size_t most = SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE +
                      SHMEM_ALLTOALL_SYNC_SIZE;
  for (int turn = 0; turn < 2; turn++) {
    set->sync[turn] = active_set_memory(most * sizeof(long));
    for (size_t i = 0; i < most; i++) set->sync[turn][i] = SHMEM_SYNC_VALUE;
  }
  shmem_barrier_all();
  return set;
}

static inline struct active_set* active_set_of_all(void) {
  static struct active_set* all = NULL;
  if (all == NULL) all = new_active_set(0, 0, shmem_n_pes());
  return all;
}

static inline long* active_set_sync(struct active_set* set) {
  set->turn = !set->turn;
  return set->sync[set->turn];
}

// Memory for a reduction of so many values. All PEs reduce as many, in the set of all.
static inline double* active_set_work(struct active_set* set, size_t count) {
  const size_t needed = count / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE;
  for (int turn = 0; set->work_count < needed && turn < 2; turn++) {
    shmem_free(set->work[turn]);
    set->work[turn] = active_set_memory(needed * sizeof(double));
  }
  if (set->work_count < needed) set->work_count = needed;
  return set->work[set->turn];
}

static inline int shmem_double_sum_reduce(shmem_team_t set, double* target, const double* source,
                                          size_t count) {
  double* const work = active_set_work(set, count);
  long* const sync = active_set_sync(set);
  shmem_double_sum_to_all(target, source, (int)count, set->start, set->log_stride, set->size, work,
                          sync);
  return 0;
}

static inline int shmem_double_max_reduce(shmem_team_t set, double* target, const double* source,
                                          size_t count) {
  double* const work = active_set_work(set, count);
  long* const sync = active_set_sync(set);
  shmem_double_max_to_all(target, source, (int)count, set->start, set->log_stride, set->size, work,
                          sync);
  return 0;
}

static inline int shmem_double_alltoall(shmem_team_t set, double* target, const double* source,
                                        size_t count) {
  shmem_alltoall64(target, source, count, set->start, set->log_stride, set->size,
                   active_set_sync(set));
  return 0;
}

static inline int shmem_double_collect(shmem_team_t set, double* target, const double* source,
                                       size_t count) {
  shmem_collect64(target, source, count, set->start, set->log_stride, set->size,
                  active_set_sync(set));
  return 0;
}

// Active sets gather words of 4 or 8 bytes. Other lengths go by puts, in the set of all alone.
static inline int shmem_fcollectmem(shmem_team_t set, void* target, const void* source,
                                    size_t bytes) {
  if (bytes % 8 == 0) {
    shmem_fcollect64(target, source, bytes / 8, set->start, set->log_stride, set->size,
                     active_set_sync(set));
    return 0;
  }
  char* const place = (char*)target + (size_t)shmem_my_pe() * bytes;
  for (int pe = 0; pe < set->size; pe++) shmem_putmem(place, source, bytes, pe);
  shmem_barrier_all();
  return 0;
}

// Between a broadcast and the second one after it all PEs meet, which the callers see to. The root
// of an active set gets no copy, that of a team does.
static inline int shmem_double_broadcast(shmem_team_t set, double* target, const double* source,
                                         size_t count, int root) {
  shmem_broadcast64(target, source, count, root, set->start, set->log_stride, set->size,
                    active_set_sync(set));
  if (shmem_my_pe() == set->start + (root << set->log_stride))
    memcpy(target, source, count * sizeof *target);
  return 0;
}

// Rows of so many PEs, and columns, whose stride has to be a power of 2.
static inline int shmem_team_split_2d(shmem_team_t set, int columns, const void* row_config,
                                      long row_mask, shmem_team_t* row, const void* column_config,
                                      long column_mask, shmem_team_t* column) {
  (void)row_config, (void)row_mask, (void)column_config, (void)column_mask;
  const int me = shmem_my_pe();
  if ((columns & (columns - 1)) != 0) {
    if (me == 0)
      fprintf(stderr, "error: OpenSHMEM 1.4 has no stride of %d PEs: 2, 4 or 16 PEs would do\n",
              columns);
    shmem_global_exit(2);
  }
  int log_stride = 0;
  while (1 << log_stride < columns) log_stride++;
  *row = new_active_set(me / columns * columns, 0, columns);
  *column = new_active_set(me % columns, log_stride, set->size / columns);
  return 0;
}

static inline void shmem_team_destroy(shmem_team_t set) {
  for (int turn = 0; turn < 2; turn++) {
    shmem_free(set->sync[turn]);
    shmem_free(set->work[turn]);
  }
  free(set);
}
