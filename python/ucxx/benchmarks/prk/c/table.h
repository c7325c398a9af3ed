// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The part of a PE of a table, each element of which is its own index at first.

#pragma once

#include <stdint.h>

#include "program.h"

// All parts but the last ones are as long.
static inline long table_part(long elements) { return (elements + world_pes() - 1) / world_pes(); }

static inline void table_fill(uint64_t* own, long elements) {
  const long part = table_part(elements);
  for (long i = 0; i < part; i++) own[i] = (uint64_t)(world_me() * part + i);
}

// How many elements are not what they were.
static inline double table_wrong(const uint64_t* own, long elements) {
  const long part = table_part(elements);
  double wrong = 0;
  for (long i = 0; i < part; i++) wrong += own[i] != (uint64_t)(world_me() * part + i);
  return wrong;
}
