// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Ping-pongs of MPI: of messages, and of puts into a window with a number behind the bytes.
#pragma once

#include <mpi.h>

#include "exchange.h"

static char *source, *incoming;
static MPI_Win window;
static MPI_Aint flag_at;  // in the window, behind the bytes
static volatile uint64_t* came;

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

static long agreed(long value) {
  MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  meet();
  return value;
}

static void begin(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &pes);
}

static void end(int status) {
  if (status != 0) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
}

static void make(size_t largest) {
  char* memory;
  source = pages(largest);
  incoming = pages(largest);
  flag_at = (MPI_Aint)((largest + kPage - 1) / kPage * kPage);
  MPI_Win_allocate(flag_at + kPage, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  memset(memory, 0, (size_t)flag_at + kPage);
  came = (volatile uint64_t*)(memory + flag_at);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  MPI_Win_sync(window);
}

static void send(void) { MPI_Send(source, (int)bytes, MPI_BYTE, 1 - me, 0, MPI_COMM_WORLD); }

static void receive(void) {
  MPI_Recv(incoming, (int)bytes, MPI_BYTE, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// The order of a put and an accumulate is not defined: the put ends before.
static void put(void) {
  MPI_Put(source, (int)bytes, MPI_BYTE, 1 - me, 0, (int)bytes, MPI_BYTE, window);
  MPI_Win_flush(1 - me, window);
  MPI_Accumulate(&turn, 1, MPI_UINT64_T, 1 - me, flag_at, 1, MPI_UINT64_T, MPI_REPLACE, window);
  MPI_Win_flush(1 - me, window);
}

static void await_put(void) {
  while (*came != turn) MPI_Win_sync(window);
}

static void ping_pong(long count) { exchange(count, send, receive); }
static void ping_pong_rma(long count) { exchange(count, put, await_put); }

enum { kLeastPes = 2 };

static const struct figure figures[] = {
    {"ping_pong", kPair, ping_pong, kHalves},
    {"ping_pong_rma", kPair, ping_pong_rma, kHalves},
};
