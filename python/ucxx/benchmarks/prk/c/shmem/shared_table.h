// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A table that PEs change by atomic operations of OpenSHMEM.

#pragma once

#include "table.h"

struct shared_table {
  struct layout layout;
  uint64_t* own;
};

static inline void shared_table_open(struct shared_table* table, long elements) {
  table->layout = layout_of(elements);
  table->own = symmetric(table->layout.part * sizeof(uint64_t));
  table_fill(table->own, &table->layout);
  shmem_barrier_all();
}

static inline void shared_table_xor(struct shared_table* table, uint64_t index, uint64_t value) {
  const struct layout* const layout = &table->layout;
  shmem_uint64_atomic_xor(table->own + place_of(layout, index), value, owner_of(layout, index));
}

// All changes of this PE are there.
static inline void shared_table_finish(struct shared_table* table) {
  (void)table;
  shmem_quiet();
}

// How many elements of this PE are not what is wanted, after a barrier.
static inline double shared_table_wrong(struct shared_table* table, const uint64_t* wanted) {
  return table_wrong(table->own, wanted, &table->layout);
}

static inline void shared_table_close(struct shared_table* table) { (void)table; }
