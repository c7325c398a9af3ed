// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// C11: the generic names, by types, with and without a context; the old ones too.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

static short shorts[4];
static double doubles[4];
static unsigned long long wide;
static int word;
static uint64_t signal_word;
static long sums[2], last;

static void require(int condition, int line) {
  if (condition) return;
  fprintf(stderr, "PE %d: line %d\n", shmem_my_pe(), line);
  shmem_global_exit(1);
}
#define REQUIRE(condition) require(condition, __LINE__)

static void memory_access(shmem_ctx_t context, int next, int previous) {
  const short source[4] = {(short)shmem_my_pe(), 1, 2, 3};
  const double three[3] = {7, 8, 9};
  shmem_put(shorts, source, 4, next);
  shmem_p(context, &doubles[1], shmem_my_pe() + 0.5, next);
  shmem_iput(context, doubles + 2, three, 1, 2, 2, next);
  shmem_barrier_all();
  REQUIRE(shorts[0] == previous && shorts[3] == 3);
  REQUIRE(doubles[1] == previous + 0.5 && doubles[2] == 7 && doubles[3] == 9);
  REQUIRE(shmem_g(context, &doubles[1], next) == shmem_my_pe() + 0.5);
  short there[4];
  shmem_get_nbi(there, shorts, 4, next);
  shmem_quiet();
  REQUIRE(there[0] == shmem_my_pe());
  shmem_barrier_all();
}

static void atomics(shmem_ctx_t context, int next) {
  shmem_atomic_set(&wide, 5ULL, next);
  REQUIRE(shmem_atomic_fetch_add(context, &wide, 1ULL << 40, next) == 5);
  REQUIRE(shmem_atomic_compare_swap(&wide, (1ULL << 40) + 5, 9ULL, next) == (1ULL << 40) + 5);
  shmem_atomic_or(&wide, 6ULL, next);
  REQUIRE(shmem_atomic_fetch(&wide, next) == 15);
  shmem_atomic_set(&doubles[0], 2.5, next);
  REQUIRE(shmem_atomic_swap(context, &doubles[0], 3.5, next) == 2.5);
  shmem_barrier_all();
}

static void waits_and_signals(int next, int previous) {
  shmem_p(&word, 4, next);
  shmem_wait_until(&word, SHMEM_CMP_EQ, 4);
  REQUIRE(shmem_test(&word, SHMEM_CMP_GT, 3) == 1);
  const double value = shmem_my_pe();
  shmem_put_signal(doubles, &value, 1, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
  REQUIRE(shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1) == 1);
  REQUIRE(doubles[0] == previous);
  shmem_barrier_all();
}

static void collectives(void) {
  const int npes = shmem_n_pes();
  sums[1] = shmem_my_pe();
  REQUIRE(shmem_sum_reduce(SHMEM_TEAM_WORLD, sums, sums + 1, 1) == 0);
  REQUIRE(sums[0] == npes * (npes - 1L) / 2);
  REQUIRE(shmem_broadcast(SHMEM_TEAM_WORLD, &last, sums + 1, 1, npes - 1) == 0);
  REQUIRE(last == npes - 1);
  REQUIRE(shmem_sync(SHMEM_TEAM_WORLD) == 0);
}

static void old_ones(int next) {
  shmem_barrier_all();
  shmem_set(&word, 1, next);
  REQUIRE(shmem_fadd(&word, 2, next) == 1);
  REQUIRE(shmem_cswap(&word, 3, 10, next) == 3);
  shmem_inc(&word, next);
  REQUIRE(shmem_fetch(&word, next) == 11);
}

int main(void) {
  shmem_init();
  shmem_ctx_t context;
  REQUIRE(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &context) == 0);
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  const int previous = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
  memory_access(context, next, previous);
  atomics(context, next);
  waits_and_signals(next, previous);
  collectives();
  old_ones(next);
  shmem_ctx_destroy(context);
  shmem_finalize();
  return 0;
}
