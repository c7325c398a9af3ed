/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Seats are sold by all PEs at once: small counters, as they were cheap, in halves of words.
 *
 * build: oshcc -std=c11 -O2 seats.c -o seats
 * run: oshrun -n 4 ./seats
 * prints: 240 of 240 seats sold, 160 refused, 4 PEs agree: ok
 */
#include <mpp/shmem.h>
#include <stdio.h>

enum { kSeats = 60, kTries = 100, kMostPes = 64 };

/* The buyer's number of each seat on this PE, 0: free; what lies between is another counter's. */
static short seats[kSeats];
static short sold, refused;
static unsigned short doors[3] = {0, 0, 0};
static unsigned int checks = 0;
static unsigned long turns = 0;
static short ready[kMostPes];

static int buy(int me, int hall) {
  int i;
  const int first = shmem_short_fadd(&sold, 0, hall) % kSeats;
  for (i = 0; i < kSeats; i++) {
    const int seat = (first + i) % kSeats;
    if (shmem_short_cswap(&seats[seat], 0, (short)(me + 1), hall) == 0) return 1;
  }
  return 0;
}

static int count_sold(void) {
  int i, n = 0;
  for (i = 0; i < kSeats; i++) n += shmem_swap(&seats[i], (short)-1, _my_pe()) > 0;
  return n;
}

int main(void) {
  int i, me, npes, wrong = 0, all = 0, no = 0;
  start_pes(0);
  me = _my_pe();
  npes = _num_pes();
  for (i = 0; i < kTries; i++) {
    const int hall = (me + i) % npes;
    if (buy(me, hall))
      shmem_short_inc(&sold, hall);
    else
      shmem_finc(&refused, hall);
    shmem_fadd(&doors[1], (unsigned short)1, hall);
    shmem_uint_inc(&checks, hall);
    shmem_ulong_finc(&turns, 0);
  }
  for (i = 0; i < npes; i++) shmem_short_p(&ready[me], 1, i);
  for (i = 0; i < npes; i++) shmem_short_wait(&ready[i], 0);
  shmem_barrier_all();

  wrong += count_sold() != shmem_short_fetch(&sold, me);
  wrong += doors[0] != 0 || doors[1] != kTries || doors[2] != 0 || checks != kTries;
  wrong += shmem_ulong_fetch(&turns, 0) != (unsigned long)(kTries * npes);
  for (i = 0; i < npes; i++) {
    all += shmem_short_fetch(&sold, i);
    no += shmem_short_fetch(&refused, i);
  }
  wrong += all + no != kTries * npes || all != kSeats * npes;
  shmem_ushort_add(&doors[2], (unsigned short)(wrong != 0), 0);
  shmem_barrier_all();
  wrong = shmem_ushort_g(&doors[2], 0);
  if (me == 0)
    printf("%d of %d seats sold, %d refused, %d PEs agree: %s\n", all, kSeats * npes, no,
           npes - wrong, wrong ? "NO" : "ok");
  shmem_barrier_all();
  return wrong;
}
