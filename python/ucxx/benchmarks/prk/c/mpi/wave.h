// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Single values as messages.

#pragma once

#include "program.h"

struct wave {
  long rows;
};

static inline void wave_open(struct wave* wave, long rows) { wave->rows = rows; }

static inline void wave_next_step(struct wave* wave) { (void)wave; }

static inline void wave_send(const struct wave* wave, long row, double value, int pe) {
  (void)wave, (void)row;
  MPI_Send(&value, 1, MPI_DOUBLE, pe, 0, MPI_COMM_WORLD);
}

static inline double wave_receive(const struct wave* wave, long row, int pe) {
  double value;
  (void)wave, (void)row;
  MPI_Recv(&value, 1, MPI_DOUBLE, pe, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return value;
}
