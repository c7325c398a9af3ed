// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The borders of a block, and the neighbours to which they go.

#pragma once

#include <stddef.h>

enum { LEFT, RIGHT, UP, DOWN, SIDES };

// No neighbour: the edge of everything.
enum { NOBODY = -1 };

static inline int opposite(int side) { return side ^ 1; }

struct halo {
  int peer[SIDES];
  size_t count[SIDES];
  double* outgoing[SIDES];  // the caller fills them before an exchange
  double* incoming[SIDES];  // valid until the next one
  struct halo_state* state;
};
