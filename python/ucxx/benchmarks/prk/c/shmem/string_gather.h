// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A string of each PE, and all of them by fcollect.

#pragma once

#include "program.h"

struct strings {
  size_t length;  // of each
  char* own;      // the caller fills it
  char* all;      // those of all PEs, in their order, until the next ones are gathered
  char* sets[2];  // of which 'all' is one, in turn: who is ahead writes those of its next gather
};

static inline void strings_open(struct strings* strings) {
  strings->own = symmetric(strings->length);
  for (int set = 0; set < 2; set++)
    strings->sets[set] = symmetric(strings->length * (size_t)world_pes());
  strings->all = strings->sets[0];
}

static inline void strings_gather(struct strings* strings) {
  strings->all = strings->sets[strings->all == strings->sets[0]];
  shmem_fcollectmem(SHMEM_TEAM_WORLD, strings->all, strings->own, strings->length);
}
