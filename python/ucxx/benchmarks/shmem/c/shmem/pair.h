// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A ping-pong of puts. A put says nothing of the order in which its bytes arrive, so that waiting
// for the last byte would be wrong: a signal follows the bytes.
#pragma once

#include "exchange.h"
#include "world.h"

static char *source, *target;

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5

static uint64_t* came;

static void send(void) {
  shmem_putmem_signal(target, source, bytes, came, turn, SHMEM_SIGNAL_SET, 1 - me);
}

static void receive(void) { shmem_signal_wait_until(came, SHMEM_CMP_EQ, turn); }

#else  // without put_signal

static long* came;

static void send(void) {
  shmem_putmem(target, source, bytes, 1 - me);
  shmem_fence();
  shmem_long_p(came, (long)turn, 1 - me);
}

static void receive(void) { shmem_long_wait_until(came, SHMEM_CMP_EQ, (long)turn); }

#endif

enum { kLeastPes = 2 };

static void make(size_t largest) {
  came = symmetric(sizeof *came);
  target = symmetric(largest);
  source = pages(largest);
}

static void ping_pong(long count) { exchange(count, send, receive); }

static const struct figure figures[] = {{"ping_pong", kPair, ping_pong, kHalves}};
