// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Initialisation, finalisation, and what tells about the job.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>

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

/// Allocations, a team, a context and an active set; what an odd round leaves ends with the
/// library.
void useMuch(int round) {
  static long sync[SHMEM_BARRIER_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  auto* const block = static_cast<int*>(shmem_calloc(100'000, 1));
  shmem_team_t team = SHMEM_TEAM_INVALID;
  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, nullptr, 0, &team), 0);
  shmem_ctx_t ctx = SHMEM_CTX_INVALID, ctx_of_team = SHMEM_CTX_INVALID;
  CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
  CHECK_EQ(shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &ctx_of_team), 0);
  shmem_ctx_int_p(ctx_of_team, block, round, (me + 1) % pes);
  shmem_ctx_quiet(ctx_of_team);
  shmem_barrier(0, 0, pes, sync);
  CHECK_EQ(*block, round);
  if (round % 2 != 0) return;
  shmem_ctx_destroy(ctx_of_team);
  shmem_ctx_destroy(ctx);
  shmem_team_destroy(team);
  shmem_free(block);
}

/// A heap that is new each time.
void initAndFinalize(int round, int depth) {
  static void* first = nullptr;
  for (int i = 0; i < depth; ++i) shmem_init();
  void* const block = shmem_malloc(1000);
  if (first == nullptr) first = block;
  CHECK_EQ(block, first);
  if (round % 3 != 0) useMuch(round);
  for (int i = 0; i < depth; ++i) shmem_finalize();
  CHECK_EQ(isInitialized(), 0);
}

/// What this process has of its system.
struct Holdings {
  long descriptors, mappings, resident_kib;
};

Holdings holdings() {
  Holdings held{0, 0, 0};
  char line[8192];
  std::FILE* file = std::fopen("/proc/self/maps", "r");
  CHECK(file != nullptr);
  while (std::fgets(line, sizeof line, file) != nullptr) ++held.mappings;
  std::fclose(file);
  file = std::fopen("/proc/self/smaps_rollup", "r");  // exact; VmRSS is not
  CHECK(file != nullptr);
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, "Rss:", 4) == 0) held.resident_kib = std::atol(line + 4);
  }
  std::fclose(file);
  const std::filesystem::directory_iterator descriptors("/proc/self/fd");
  held.descriptors = std::distance(begin(descriptors), end(descriptors));
  return held;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;  // has a memory of its own, which grows
#else
constexpr bool kIsSanitized = false;
#endif

/// Nothing grows once each kind of round has been.
void testAgainAndAgain() {
  constexpr int kTimes = 1000, kFirstTimes = 12;
  constexpr long kLeeway = 200;  // KiB: less than 256 bytes each time
  Holdings before{};
  for (int round = 0; round < kTimes; ++round) {
    if (round <= kFirstTimes) before = holdings();  // the first look takes memory itself
    initAndFinalize(round, 1 + round % 4);
  }
  const Holdings after = holdings();
  CHECK_EQ(after.descriptors, before.descriptors);
  if (kIsSanitized) return;
  CHECK_EQ(after.mappings, before.mappings);
  CHECK_EQ(std::max(after.resident_kib, before.resident_kib + kLeeway),
           before.resident_kib + kLeeway);
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
