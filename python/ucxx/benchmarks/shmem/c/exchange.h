// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The loop of a ping-pong.
#pragma once

#include <stdint.h>

#include "measure.h"

/// Half round trips of each turn.
enum { kHalves = 2 };

static uint64_t turn;  // equal on both PEs

static inline void exchange(long count, void (*send)(void), void (*receive)(void)) {
  for (long i = 0; i < count; ++i) {
    ++turn;
    if (me == 0) {
      send();
      receive();
    } else {
      receive();
      send();
    }
  }
}
