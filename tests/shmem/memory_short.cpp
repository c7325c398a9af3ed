// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A PE for which the system has no more memory: the call fails on all, and all go on as before it.
#include <cstddef>
#include <cstring>
#include <optional>

#include "shmem/check.h"
#include "shmem/no_memory.h"
#include "shmem/some_teams.h"

namespace {

using ucxx::test::Shortage;

constexpr std::size_t kLarge = std::size_t{5} << 20;
/// Nothing, and what is enough for a part of a large block.
constexpr off_t kLeft[] = {0, off_t{5} << 19};
constexpr int kAll = -1;

/// Each is tried on a heap that has no pages yet, so behind an initialisation of its own.
struct Call {
  const char* name;
  void* (*allocate)();
};
const Call kCalls[] = {
    {"malloc", [] { return shmem_malloc(kLarge); }},
    {"calloc", [] { return shmem_calloc(5, std::size_t{1} << 20); }},
    {"align", [] { return shmem_align(1 << 16, kLarge); }},
    {"malloc_with_hints", [] { return shmem_malloc_with_hints(kLarge, 0); }},
    {"realloc", [] { return shmem_realloc(nullptr, kLarge); }},
};

/// What `call` returns if one PE, or all, have no more than so much.
template <class Call>
auto withLittle(int poor, off_t bytes, const Call& call) {
  std::optional<Shortage> shortage;
  if (poor == kAll || poor == shmem_my_pe()) shortage.emplace(bytes);
  return call();
}

void fill(void* block, std::size_t bytes) { std::memset(block, shmem_my_pe() + 1, bytes); }
void checkFilled(const void* block, std::size_t bytes) {
  const auto* const begin = static_cast<const unsigned char*>(block);
  CHECK_EQ(begin[0], shmem_my_pe() + 1);
  CHECK(std::memcmp(begin, begin + 1, bytes - 1) == 0);
}

/// The block lies at the same place on all PEs, and all of it can be used.
void checkUsable(void* block, std::size_t bytes) {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  CHECK(block != nullptr);
  fill(block, bytes);
  shmem_barrier_all();
  unsigned char last = 0;
  shmem_getmem(&last, static_cast<unsigned char*>(block) + bytes - 1, 1, (me + 1) % pes);
  CHECK_EQ(last, (me + 1) % pes + 1);
  shmem_barrier_all();
}

void testCall(const Call& call, int poor, off_t left) {
  shmem_init();
  CHECK(withLittle(poor, left, call.allocate) == nullptr);
  void* const small = shmem_malloc(1000);
  checkUsable(small, 1000);
  CHECK(withLittle(poor, left, call.allocate) == nullptr);
  checkFilled(small, 1000);
  void* const block = call.allocate();
  checkUsable(block, kLarge);
  shmem_free(block);
  // What has pages keeps them.
  void* const again = withLittle(kAll, 0, [] { return shmem_malloc(kLarge / 2); });
  checkUsable(again, kLarge / 2);
  shmem_free(again);
  checkFilled(small, 1000);
  shmem_finalize();
}

/// A block that cannot grow stays as it is: at its place, and where something lies behind it.
void testGrowth(int poor, off_t left, bool has_room) {
  shmem_init();
  void* const block = shmem_malloc(100'000);
  void* const behind = has_room ? nullptr : shmem_malloc(100);
  fill(block, 100'000);
  for (int time = 0; time < 3; ++time) {
    void* const grown =
        withLittle(poor, left, [=] { return shmem_realloc(block, kLarge + 100'000); });
    CHECK(grown == nullptr);
    checkFilled(block, 100'000);
  }
  void* const grown = shmem_realloc(block, kLarge + 100'000);
  CHECK(grown != nullptr);
  checkFilled(grown, 100'000);
  checkUsable(grown, kLarge + 100'000);
  shmem_free(grown);
  shmem_free(behind);
  shmem_finalize();
}

/// No member gets a team if one has no memory for its flags; the number of the team is free again.
void testTeams(int poor) {
  shmem_init();
  const int pes = shmem_n_pes();
  for (int time = 0; time < 100; ++time) {
    shmem_team_t team = SHMEM_TEAM_WORLD, row = SHMEM_TEAM_WORLD, column = SHMEM_TEAM_WORLD;
    CHECK(withLittle(poor, 0, [&] {
            return shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, nullptr, 0, &team);
          }) != 0);
    CHECK(team == SHMEM_TEAM_INVALID);
    CHECK(withLittle(poor, 0, [&] {
            return shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, nullptr, 0, &row, nullptr, 0, &column);
          }) != 0);
    CHECK(row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID);
  }
  const shmem_team_t team = ucxx::test::splitTeam(SHMEM_TEAM_WORLD, pes - 1, -1, pes);
  CHECK_EQ(shmem_team_my_pe(team), pes - 1 - shmem_my_pe());
  CHECK_EQ(shmem_team_sync(team), 0);
  shmem_finalize();
}

void testAll(int poor) {
  for (const off_t left : kLeft) {
    for (const Call& call : kCalls) testCall(call, poor, left);
    testGrowth(poor, left, true);
    testGrowth(poor, left, false);
  }
  testTeams(poor);
}

}  // namespace

int main() {
  shmem_init();
  const int pes = shmem_n_pes();
  shmem_finalize();
  for (int poor = kAll; poor < pes; ++poor) testAll(poor);
}
