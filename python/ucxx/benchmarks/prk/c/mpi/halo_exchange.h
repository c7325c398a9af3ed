// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Borders by messages.

#pragma once

#include "halo.h"
#include "program.h"

static inline void halo_open(struct halo* halo) {
  halo->state = NULL;
  for (int side = 0; side < SIDES; side++) {
    halo->outgoing[side] = new_doubles(halo->count[side]);
    halo->incoming[side] = new_doubles(halo->count[side]);
  }
}

static inline void halo_exchange(struct halo* halo) {
  MPI_Request requests[2 * SIDES];
  int under_way = 0;
  for (int side = 0; side < SIDES; side++)
    if (halo->peer[side] != NOBODY)
      MPI_Irecv(halo->incoming[side], (int)halo->count[side], MPI_DOUBLE, halo->peer[side],
                opposite(side), MPI_COMM_WORLD, &requests[under_way++]);
  for (int side = 0; side < SIDES; side++)
    if (halo->peer[side] != NOBODY)
      MPI_Isend(halo->outgoing[side], (int)halo->count[side], MPI_DOUBLE, halo->peer[side], side,
                MPI_COMM_WORLD, &requests[under_way++]);
  MPI_Waitall(under_way, requests, MPI_STATUSES_IGNORE);
}
