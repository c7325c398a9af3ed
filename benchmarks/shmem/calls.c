// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What OpenSHMEM calls cost, between PE 0 and PE 1 and among all PEs. Written for version 1.4, so
// that the same source is compiled for other libraries: collectives go by teams where there are
// teams, else by active sets. Arguments: harness.h.
#define _GNU_SOURCE
#include <shmem.h>

#include "harness.h"

#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5
#define IS_OLD 1
#else
#define IS_OLD 0
#endif

static long static_word[8];
// Symmetric. PE 0 writes `word` of PE 1, reads its `quiet_word`; both wait for `flag`.
static long *word, *quiet_word, *flag, *shared;
static char *from, *to;
static char* local;
static long turn;
static int peer, pes;

static void meet(void) { shmem_barrier_all(); }

static void set_all(long* object, long value) {
  for (int pe = 0; pe < pes; ++pe) shmem_long_p(object, value, pe);
}

static long agreed(long value) {
  meet();
  if (me == 0) set_all(shared, value);
  meet();
  return *shared;
}

static void tell(long value) { set_all((long*)done, value); }

// --------------------------------------------------------------------- PE 0 alone
static void put(int calls) {
  const long value = 7;
  if (bytes == sizeof value) {
    for (int i = 0; i < calls; ++i) shmem_long_put(word, &value, 1, peer);
  } else {
    for (int i = 0; i < calls; ++i) shmem_putmem(to, local, bytes, peer);
    shmem_quiet();
  }
}

static void get(int calls) {
  long value;
  if (bytes == sizeof value) {
    for (int i = 0; i < calls; ++i) shmem_long_get(&value, quiet_word, 1, peer);
  } else {
    for (int i = 0; i < calls; ++i) shmem_getmem(local, to, bytes, peer);
  }
}

static void p(int calls) {
  for (int i = 0; i < calls; ++i) shmem_long_p(word, i, peer);
}

static void g(int calls) {
  volatile long value;
  for (int i = 0; i < calls; ++i) value = shmem_long_g(quiet_word, peer);
  (void)value;
}

static void put_static(int calls) {
  const long value = 7;
  for (int i = 0; i < calls; ++i) shmem_long_put(static_word, &value, 1, peer);
}

static void put_nbi(int calls) {
  const long value = 7;
  for (int i = 0; i < calls; ++i) shmem_long_put_nbi(word, &value, 1, peer);
  shmem_quiet();
}

static void fetch_add(int calls) {
  for (int i = 0; i < calls; ++i) shmem_long_atomic_fetch_add(word, 1, peer);
}

static void add(int calls) {
  for (int i = 0; i < calls; ++i) shmem_long_atomic_add(word, 1, peer);
}

static void fence(int calls) {
  for (int i = 0; i < calls; ++i) shmem_fence();
}

static void quiet(int calls) {
  for (int i = 0; i < calls; ++i) shmem_quiet();
}

// ------------------------------------------------------- PE 0 and PE 1: half a round trip
static void await_turn(void) { shmem_long_wait_until(flag, SHMEM_CMP_GE, turn); }

/// The others sleep, and wake up for nothing.
static void put_to_awaiting(int calls) {
  ++turn;
  if (me != 0) return await_turn();
  put(calls);
  set_all(flag, turn);
}

static void p_wait(int calls) {
  for (int i = 0; i < calls / 2; ++i) {
    ++turn;
    if (me == 1) await_turn();
    if (me <= 1) shmem_long_p(flag, turn, 1 - me);
    if (me == 0) await_turn();
  }
}

static void put_and_flag(void) {
  shmem_putmem(to, local, bytes, 1 - me);
  shmem_fence();
  shmem_long_p(flag, turn, 1 - me);
}

static void put_flag(int calls) {
  for (int i = 0; i < calls / 2; ++i) {
    ++turn;
    if (me == 1) await_turn();
    if (me <= 1) put_and_flag();
    if (me == 0) await_turn();
  }
}

#if !IS_OLD
static uint64_t *signal_word, signals;

static void await_signal(void) { shmem_signal_wait_until(signal_word, SHMEM_CMP_GE, signals); }

static void send_signal(void) {
  shmem_putmem_signal(to, local, bytes, signal_word, signals, SHMEM_SIGNAL_SET, 1 - me);
}

static void put_signal(int calls) {
  for (int i = 0; i < calls / 2; ++i) {
    ++signals;
    if (me == 1) await_signal();
    if (me <= 1) send_signal();
    if (me == 0) await_signal();
  }
}
#endif

// -------------------------------------------------------------------------- all PEs
static void barrier(int calls) {
  for (int i = 0; i < calls; ++i) shmem_barrier_all();
}

#if IS_OLD
enum {
  kSyncs = SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE +
           SHMEM_BCAST_SYNC_SIZE
};
static long* sync_of[2];  // not statics, which some libraries reach more slowly
static double* work;
#define FCOLLECT(i) shmem_fcollect64(to, from, bytes / 8, 0, 0, pes, sync_of[(i) % 2])
#define ALLTOALL(i) shmem_alltoall64(to, from, bytes / 8, 0, 0, pes, sync_of[(i) % 2])
#define BROADCAST(i) shmem_broadcast64(to, from, bytes / 8, 0, 0, 0, pes, sync_of[(i) % 2])
#define SUM(i)                                                                           \
  shmem_double_sum_to_all((double*)to, (double*)from, (int)(bytes / 8), 0, 0, pes, work, \
                          sync_of[(i) % 2])

static void prepare(size_t largest) {
  for (int i = 0; i < 2; ++i) {
    sync_of[i] = shmem_malloc(sizeof(long) * kSyncs);
    for (int k = 0; k < kSyncs; ++k) sync_of[i][k] = SHMEM_SYNC_VALUE;
  }
  work = shmem_align(kPage, largest + sizeof(double) * SHMEM_REDUCE_MIN_WRKDATA_SIZE);
}
#else
#define FCOLLECT(i) shmem_fcollectmem(SHMEM_TEAM_WORLD, to, from, bytes)
#define ALLTOALL(i) shmem_alltoallmem(SHMEM_TEAM_WORLD, to, from, bytes)
#define BROADCAST(i) shmem_broadcastmem(SHMEM_TEAM_WORLD, to, from, bytes, 0)
#define SUM(i) shmem_double_sum_reduce(SHMEM_TEAM_WORLD, (double*)to, (double*)from, bytes / 8)

static void prepare(size_t largest) {
  (void)largest;
  signal_word = shmem_calloc(8, sizeof(long));
}
#endif

// Each with a synchronisation, as a program has it before it uses the buffers again.
#define COLLECTIVE(name, call)        \
  static void name(int calls) {       \
    for (int i = 0; i < calls; ++i) { \
      call;                           \
      shmem_sync_all();               \
    }                                 \
  }
COLLECTIVE(fcollect, FCOLLECT(i))
COLLECTIVE(alltoall, ALLTOALL(i))
COLLECTIVE(broadcast, BROADCAST(i))
COLLECTIVE(sum, SUM(i))

/// On a page of its own, since copies take longer where the addresses within a page differ a
/// little.
static char* buffer_of(size_t size) {
  char* const buffer = shmem_align(kPage, size);
  memset(buffer, 0, size);
  return buffer;
}

static void begin(size_t largest) {
  word = shmem_calloc(8, sizeof(long));
  quiet_word = shmem_calloc(8, sizeof(long));
  flag = shmem_calloc(8, sizeof(long));
  shared = shmem_calloc(8, sizeof(long));
  done = shmem_calloc(8, sizeof(long));
  from = buffer_of((size_t)pes * largest);
  to = buffer_of((size_t)pes * largest);  // collectives gather
  local = local_buffer(largest);
  prepare(largest);
  meet();
}

int main(int argc, char** argv) {
  static const struct figure figures[] = {
    {"put", put, kOthersCompute},
    {"put_to_waiting", put, kOthersWait},
    {"p", p, kOthersCompute},
    {"put_static", put_static, kOthersWait},  // OSHMEM needs the other PE for it
    {"put_nbi", put_nbi, kOthersCompute},
    {"get", get, kOthersCompute},
    {"g", g, kOthersCompute},
    {"fetch_add", fetch_add, kOthersCompute},
    {"add", add, kOthersCompute},
    {"fence", fence, kOthersCompute},
    {"quiet", quiet, kOthersCompute},
    {"put_to_awaiting", put_to_awaiting, kAll},
    {"p_wait", p_wait, kAll},
    {"put_flag", put_flag, kAll},
#if !IS_OLD
    {"put_signal", put_signal, kAll},
#endif
    {"barrier", barrier, kAll},
    {"fcollect", fcollect, kAll},
    {"alltoall", alltoall, kAll},
    {"broadcast", broadcast, kAll},
    {"sum", sum, kAll},
    {NULL, NULL, kAll},
  };
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  peer = pes > 1 ? 1 : 0;
  measure_wanted(argc - 1, argv + 1, figures, begin);
  shmem_finalize();
  return 0;
}
