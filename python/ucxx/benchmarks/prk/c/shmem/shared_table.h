// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A table that PEs change by atomic operations of OpenSHMEM.

#pragma once

#include "table.h"

struct shared_table {
  long elements;
  long part;
  uint64_t* own;
};

static inline void shared_table_open(struct shared_table* table) {
  table->part = table_part(table->elements);
  table->own = symmetric((size_t)table->part * sizeof(uint64_t));
  table_fill(table->own, table->elements);
  shmem_barrier_all();
}

static inline void shared_table_xor(struct shared_table* table, long index, uint64_t value) {
  shmem_uint64_atomic_xor(table->own + index % table->part, value, (int)(index / table->part));
}

// All changes of this PE are there.
static inline void shared_table_finish(struct shared_table* table) {
  (void)table;
  shmem_quiet();
}

static inline double shared_table_wrong(struct shared_table* table) {
  return table_wrong(table->own, table->elements);
}

static inline void shared_table_close(struct shared_table* table) { (void)table; }
