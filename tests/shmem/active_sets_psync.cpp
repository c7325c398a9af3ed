// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Active sets that follow each other: arrays of pSync used again, by other sets, at once, on the
// heap.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "shmem/active_set.h"
#include "shmem/check.h"
#include "shmem/some_teams.h"

namespace {

using ucxx::test::ActiveSet;
using ucxx::test::PSync;
using ucxx::test::someSets;

long dests[2], source, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];

void compute() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Each member adds its number in the set and the turn.
void checkSum(const ActiveSet& set, long turn, long* psync) {
  if (!set.has()) return;
  long* const dest = &dests[turn % 2];
  source = set.me() + turn;
  shmem_long_sum_to_all(dest, &source, 1, set.start, set.log_stride, set.size, work, psync);
  CHECK_EQ(*dest, set.size * turn + set.size * (set.size - 1L) / 2);
}

/// Two arrays in turn need nothing between the calls: the way the standard shows.
void testTwoArraysInTurn() {
  static PSync<SHMEM_REDUCE_SYNC_SIZE> psyncs[2];
  for (const ActiveSet& set : someSets()) {
    for (long turn = 0; turn < 1000; ++turn) checkSum(set, turn, psyncs[turn % 2].get());
    shmem_barrier_all();
    psyncs[0].check();
    psyncs[1].check();
    shmem_barrier_all();
  }
}

/// One array for set after set, and for different functions, with a barrier between them.
void testArrayOfManySets() {
  static PSync<SHMEM_SYNC_SIZE> psync;
  static long words[2];
  for (long turn = 0; turn < 20; ++turn) {
    for (const ActiveSet& set : someSets()) {
      checkSum(set, turn, psync.get());
      shmem_barrier_all();
      words[0] = shmem_my_pe();
      if (set.has()) {
        shmem_broadcast64(words + 1, words, 1, set.size - 1, set.start, set.log_stride, set.size,
                          psync.get());
        if (set.me() != set.size - 1) CHECK_EQ(words[1], set.peOf(set.size - 1));
      }
      shmem_barrier_all();
      psync.check();
      shmem_barrier_all();
    }
  }
}

/// Barriers and syncs of one set may follow each other with the same array.
void testBarriersInARow() {
  static PSync<SHMEM_BARRIER_SYNC_SIZE> barrier, sync;
  for (const ActiveSet& set : someSets()) {
    for (int time = 0; time < 500 && set.has(); ++time) {
      shmem_barrier(set.start, set.log_stride, set.size, barrier.get());
      if (time % 3 == 0) shmem_sync(set.start, set.log_stride, set.size, sync.get());
    }
    shmem_barrier_all();
  }
}

/// Both halves at the same time, and all together in between.
void testSetsAtOnce() {
  static PSync<SHMEM_REDUCE_SYNC_SIZE> low[2], high[2], all[2];
  const int pes = shmem_n_pes(), middle = (pes + 1) / 2;
  const ActiveSet lower{0, 0, middle}, upper{middle, 0, pes - middle}, both{0, 0, pes};
  for (long turn = 0; turn < 500; ++turn) {
    checkSum(lower, turn, low[turn % 2].get());
    if (upper.size > 0) checkSum(upper, turn, high[turn % 2].get());
    if (turn % 7 == 0) {
      shmem_barrier_all();
      checkSum(both, turn, all[turn % 2].get());
      shmem_barrier_all();
    }
  }
}

/// A member that comes late to the first call with an array; the first member too.
void testLateMembers() {
  static PSync<SHMEM_REDUCE_SYNC_SIZE> psyncs[2][4];
  const ActiveSet set{0, 0, shmem_n_pes()};
  for (int late = 0; late < 2; ++late) {
    const int late_pe = late == 0 ? 0 : shmem_n_pes() - 1;
    for (int time = 0; time < 4; ++time) {
      shmem_barrier_all();
      if (shmem_my_pe() == late_pe) compute();
      checkSum(set, time, psyncs[late][time].get());
    }
  }
}

/// Memory of a freed pSync becomes a pSync again, and the sets of it are forgotten.
void testArraysOfHeap() {
  const int times = shmem_n_pes() > 4 ? 500 : 9000;
  for (long time = 0; time < times; ++time) {
    auto* const psync =
        static_cast<long*>(shmem_malloc(std::size_t{2} * SHMEM_REDUCE_SYNC_SIZE * sizeof(long)));
    std::fill_n(psync, 2 * SHMEM_REDUCE_SYNC_SIZE, SHMEM_SYNC_VALUE);
    shmem_barrier_all();
    checkSum({0, 0, shmem_n_pes()}, time, psync);
    checkSum({0, 1, (shmem_n_pes() + 1) / 2}, time, psync + SHMEM_REDUCE_SYNC_SIZE);
    shmem_free(psync);
  }
}

/// A new set, as soon as a team has gone whose place it may take.
void testSetsBehindTeams() {
  constexpr std::size_t kTimes = 1000;
  auto* const psyncs =
      static_cast<long*>(shmem_calloc(kTimes * SHMEM_BARRIER_SYNC_SIZE, sizeof(long)));
  for (std::size_t time = 0; time < kTimes; ++time) {
    const shmem_team_t team = ucxx::test::splitTeam(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes());
    shmem_team_sync(team);
    shmem_team_destroy(team);
    shmem_barrier(0, 0, shmem_n_pes(), psyncs + time * SHMEM_BARRIER_SYNC_SIZE);
  }
  shmem_free(psyncs);
}

/// Arrays that are static have their value again after the last finalize.
void testAfterFinalize() {
  static PSync<SHMEM_REDUCE_SYNC_SIZE> psync;
  for (int time = 0; time < 5; ++time) {
    checkSum({0, 0, shmem_n_pes()}, time, psync.get());
    shmem_finalize();
    shmem_init();
    psync.check();
    shmem_barrier_all();
  }
}

}  // namespace

int main() {
  shmem_init();
  testTwoArraysInTurn();
  testArrayOfManySets();
  testBarriersInARow();
  testSetsAtOnce();
  testLateMembers();
  testArraysOfHeap();
  testSetsBehindTeams();
  testAfterFinalize();
  shmem_finalize();
}
