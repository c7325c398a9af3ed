// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A block of values from each PE for each PE.

#pragma once

#include <stdbool.h>
#include <stddef.h>

struct blocks {
  size_t count;      // values of a block
  bool gets;         // each PE gets what it wants, else all exchange all at once
  double* outgoing;  // a block for each PE; the caller fills them between two exchanges
  struct blocks_state* state;
};
