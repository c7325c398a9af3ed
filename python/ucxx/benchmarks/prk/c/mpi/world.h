// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The ranks of an MPI program; they are called PEs here, too.

#pragma once

#include <mpi.h>

#define WORLD_MODEL "mpi"

static inline void world_start(int* argc, char*** argv) { MPI_Init(argc, argv); }

static inline void world_end(void) { MPI_Finalize(); }

static inline int world_me(void) {
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  return me;
}

static inline int world_pes(void) {
  int pes;
  MPI_Comm_size(MPI_COMM_WORLD, &pes);
  return pes;
}

static inline void world_barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static inline double world_total(double mine) {
  double total;
  MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

static inline double world_largest(double mine) {
  double largest;
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return largest;
}
