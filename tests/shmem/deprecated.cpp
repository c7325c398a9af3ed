// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Older names that OpenSHMEM still requires: set-up, heap, atomic operations, waits. (Collectives
// of active sets: active_sets.cpp; the end without shmem_finalize: start_pes.cpp.)
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpp/shmem.h>
#include <mpp/shmemx.h>

#include "shmem/check.h"
#include "shmem/old_atomics.h"
#include "shmem/types.h"

namespace {

using ucxx::test::testExtended;
using ucxx::test::testStandard;
using ucxx::test::testSums;

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }
int previous() { return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes(); }

void testStart() {
  start_pes(0);
  start_pes(1000);  // does nothing
  CHECK_EQ(_my_pe(), shmem_my_pe());
  CHECK_EQ(_num_pes(), shmem_n_pes());
  int is_initialized = 0;
  shmem_query_initialized(&is_initialized);
  CHECK(is_initialized != 0);
}

/// Initialisation counts, start_pes once.
void testStartAndInit() {
  shmem_init();
  start_pes(0);
  shmem_finalize();
  CHECK_EQ(_num_pes(), shmem_n_pes());
}

void testHeap() {
  CHECK(shmalloc(0) == nullptr);
  CHECK(shmemalign(64, 0) == nullptr);
  shfree(nullptr);
  auto* block = static_cast<int*>(shmalloc(10 * sizeof(int)));
  shmem_int_p(block + 9, shmem_my_pe(), next());
  block = static_cast<int*>(shrealloc(block, 100'000));
  CHECK_EQ(block[9], previous());
  shfree(block);
  void* const aligned = shmemalign(1024, 10);
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 1024, 0U);
  shfree(aligned);
  CHECK(shrealloc(shrealloc(nullptr, 100), 0) == nullptr);
  CHECK(shmalloc(std::size_t{1} << 45) == nullptr);
}

void testAtomics() {
#define TEST(name, T) testExtended<T>(OLD_EXTENDED_CALLS(name));
  FOR_OLD_EXTENDED_AMO_TYPES(TEST)
#undef TEST
#define TEST(name, T)                        \
  testStandard<T>(OLD_STANDARD_CALLS(name)); \
  testSums<T>(OLD_STANDARD_CALLS(name));
  FOR_OLD_AMO_TYPES(TEST)
#undef TEST
}

/// The generics, of which C++ has overloads.
void testGenerics() {
  static int word;
  word = 1;
  shmem_barrier_all();
  CHECK_EQ(shmem_fetch(&word, next()), 1);
  shmem_set(&word, 2, next());
  CHECK_EQ(shmem_swap(&word, 3, next()), 2);
  CHECK_EQ(shmem_cswap(&word, 3, 4, next()), 3);
  CHECK_EQ(shmem_finc(&word, next()), 4);
  CHECK_EQ(shmem_fadd(&word, 5, next()), 5);
  shmem_inc(&word, next());
  shmem_add(&word, 9, next());
  shmem_barrier_all();
  CHECK_EQ(word, 20);
  shmem_barrier_all();
}

template <class T>
T wait_word = 0;

/// The word changes by a put of the PE before, or by a store of this one.
template <class T>
void testWait(void (*wait)(T*, T), void (*put)(T*, T, int)) {
  for (T round = 0; round < 50; ++round) {
    put(&wait_word<T>, static_cast<T>(round + 1), next());
    wait(&wait_word<T>, round);
    CHECK_EQ(wait_word<T>, static_cast<T>(round + 1));
    shmem_barrier_all();
  }
  wait_word<T> = 7;
  wait(&wait_word<T>, 6);
  shmem_barrier_all();
}

void testWaits() {
#define TEST(name, T) \
  testWait<T>(shmem_##name##_wait, shmem_##name##_p), wait_word<T> = 0, shmem_barrier_all();
  FOR_OLD_WAIT_TYPES(TEST)
#undef TEST
  testWait<long>(shmem_wait, shmem_long_p);
}

/// The C function takes long, whatever the overloads of its name take.
void testWaitUntil() {
  static long word;
  void (*const wait_until)(long*, int, long) = shmem_wait_until;
  shmem_long_p(&word, 5, next());
  wait_until(&word, _SHMEM_CMP_EQ, 5);
  wait_until(&word, _SHMEM_CMP_NE, 4);
  wait_until(&word, _SHMEM_CMP_GT, 4);
  wait_until(&word, _SHMEM_CMP_GE, 5);
  wait_until(&word, _SHMEM_CMP_LT, 6);
  wait_until(&word, _SHMEM_CMP_LE, 5);
  shmem_barrier_all();
}

void testConstants() {
  CHECK_EQ(_SHMEM_MAJOR_VERSION, 1);
  CHECK_EQ(_SHMEM_MINOR_VERSION, 6);
  char name[_SHMEM_MAX_NAME_LEN];
  shmem_info_get_name(name);
  CHECK_EQ(std::strcmp(name, _SHMEM_VENDOR_STRING), 0);
}

}  // namespace

int main() {
  testStart();
  testStartAndInit();
  testHeap();
  testAtomics();
  testGenerics();
  testWaits();
  testWaitUntil();
  testConstants();
}
