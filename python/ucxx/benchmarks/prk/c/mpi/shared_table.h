// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A table in a window, which PEs change by accumulations.

#pragma once

#include "table.h"

enum { UNDER_WAY = 1024 };

struct shared_table {
  struct layout layout;
  uint64_t* own;
  MPI_Win window;
  uint64_t values[UNDER_WAY];  // MPI may read them until the next flush
  int next;
};

static inline void shared_table_open(struct shared_table* table, long elements) {
  table->layout = layout_of(elements);
  table->next = 0;
  MPI_Win_allocate((MPI_Aint)(table->layout.part * sizeof(uint64_t)), sizeof(uint64_t),
                   MPI_INFO_NULL, MPI_COMM_WORLD, &table->own, &table->window);
  MPI_Win_lock_all(0, table->window);
  table_fill(table->own, &table->layout);
  MPI_Win_sync(table->window);
  MPI_Barrier(MPI_COMM_WORLD);
}

// All changes of this PE are there.
static inline void shared_table_finish(struct shared_table* table) {
  MPI_Win_flush_all(table->window);
  table->next = 0;
}

static inline void shared_table_xor(struct shared_table* table, uint64_t index, uint64_t value) {
  if (table->next == UNDER_WAY) shared_table_finish(table);
  const struct layout* const layout = &table->layout;
  uint64_t* const kept = &table->values[table->next++];
  *kept = value;
  MPI_Accumulate(kept, 1, MPI_UINT64_T, owner_of(layout, index), (MPI_Aint)place_of(layout, index),
                 1, MPI_UINT64_T, MPI_BXOR, table->window);
}

// How many elements of this PE are not what is wanted, after a barrier.
static inline double shared_table_wrong(struct shared_table* table, const uint64_t* wanted) {
  MPI_Win_sync(table->window);
  return table_wrong(table->own, wanted, &table->layout);
}

static inline void shared_table_close(struct shared_table* table) {
  MPI_Win_unlock_all(table->window);
  MPI_Win_free(&table->window);
}
