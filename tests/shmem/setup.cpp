// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Initialisation, finalisation, and what tells about the job.
#include <cstring>

#include "shmem/check.h"

namespace {

int isInitialized() {
  int initialized = -1;
  shmem_query_initialized(&initialized);
  return initialized;
}

int threadLevel() {
  int level = -1;
  shmem_query_thread(&level);
  return level;
}

void testQueriesBeforeInit() {
  CHECK_EQ(isInitialized(), 0);
  CHECK_EQ(threadLevel(), SHMEM_THREAD_SINGLE);
}

void testNestedPairs() {
  int level = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_SERIALIZED, &level), 0);
  CHECK_EQ(level, SHMEM_THREAD_SERIALIZED);
  int inner = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &inner), 0);
  CHECK_EQ(inner, level);
  CHECK_EQ(threadLevel(), level);
  shmem_finalize();
  CHECK_EQ(isInitialized(), 1);
  shmem_finalize();
  CHECK_EQ(isInitialized(), 0);
}

/// A heap that is new each time, and the numbers of before.
void testAgainAndAgain() {
  constexpr int kTimes = 50;
  void* first = nullptr;
  for (int time = 0; time < kTimes; ++time) {
    shmem_init();
    void* const block = shmem_malloc(1000);
    if (first == nullptr) first = block;
    CHECK_EQ(block, first);
    shmem_finalize();
  }
}

void testNumbers() {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  CHECK(me >= 0 && me < pes);
  for (const int pe : {-1, pes, 1 << 30}) CHECK_EQ(shmem_pe_accessible(pe), 0);
  for (int pe = 0; pe < pes; ++pe) CHECK_EQ(shmem_pe_accessible(pe), 1);
}

int a_static = 0;

void testAddresses() {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  auto* const on_heap = static_cast<int*>(shmem_malloc(sizeof(int)));
  int on_stack = 0;
  for (int pe = 0; pe < pes; ++pe) {
    CHECK_EQ(shmem_addr_accessible(on_heap, pe), 1);
    CHECK_EQ(shmem_addr_accessible(&a_static, pe), 1);
    CHECK_EQ(shmem_addr_accessible(&on_stack, pe), 0);
    CHECK(shmem_ptr(on_heap, pe) != nullptr);
    CHECK(shmem_ptr(&a_static, pe) != nullptr);
    CHECK(shmem_ptr(&on_stack, pe) == nullptr);
  }
  CHECK_EQ(shmem_addr_accessible(on_heap, pes), 0);
  CHECK(shmem_ptr(on_heap, -1) == nullptr);
  CHECK(shmem_ptr(on_heap, me) == on_heap);
  CHECK(shmem_ptr(&a_static, me) == &a_static);
  shmem_free(on_heap);
}

void testVersion() {
  int major = 0, minor = 0;
  shmem_info_get_version(&major, &minor);
  CHECK_EQ(major, SHMEM_MAJOR_VERSION);
  CHECK_EQ(minor, SHMEM_MINOR_VERSION);
  char name[SHMEM_MAX_NAME_LEN];
  shmem_info_get_name(name);
  CHECK_EQ(std::strcmp(name, SHMEM_VENDOR_STRING), 0);
}

}  // namespace

int main() {
  testQueriesBeforeInit();
  testNestedPairs();
  testAgainAndAgain();
  shmem_init();
  CHECK_EQ(isInitialized(), 1);
  testNumbers();
  testAddresses();
  testVersion();
  shmem_finalize();
}
