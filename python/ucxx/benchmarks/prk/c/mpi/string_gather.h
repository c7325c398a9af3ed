// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A string of each PE, and all of them by MPI_Allgather.

#pragma once

#include "program.h"

struct strings {
  size_t length;  // of each
  char* own;      // the caller fills it
  char* all;      // those of all PEs, in their order, until the next ones are gathered
};

static inline void strings_open(struct strings* strings) {
  const size_t doubles = 1 + strings->length / sizeof(double);
  strings->own = (char*)new_doubles(doubles);
  strings->all = (char*)new_doubles(doubles * (size_t)world_pes());
}

static inline void strings_gather(struct strings* strings) {
  const int length = (int)strings->length;
  MPI_Allgather(strings->own, length, MPI_CHAR, strings->all, length, MPI_CHAR, MPI_COMM_WORLD);
}
