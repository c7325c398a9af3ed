// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// All that a PE can do, in an endless loop: kills_check.py ends one of the PEs somewhere in it.
#include <array>
#include <cstddef>

#include <shmem.h>

namespace {

constexpr std::size_t kLarge = 20000;

long word, lock;
std::array<long, kLarge> source, dest;

void useLocks() {
  shmem_set_lock(&lock);
  shmem_long_p(&word, shmem_long_g(&word, 0) + 1, 0);
  shmem_clear_lock(&lock);
}

void useCollectives(int turn) {
  shmem_long_fcollect(SHMEM_TEAM_WORLD, dest.data(), source.data(), 10);
  shmem_barrier_all();
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest.data(), source.data(), kLarge);
  shmem_barrier_all();
  shmem_long_broadcast(SHMEM_TEAM_WORLD, dest.data(), source.data(), kLarge, turn % shmem_n_pes());
  shmem_barrier_all();
}

void useTeams() {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), nullptr, 0, &team);
  shmem_team_sync(team);
  shmem_team_destroy(team);
}

/// One PE computes a little, so that the others fall asleep.
void useSleep(int turn) {
  static long flag;
  if (shmem_my_pe() == turn % shmem_n_pes()) {
    volatile long work = 0;
    for (long i = 0; i < 300'000; ++i) work = work + i;
    for (int pe = 0; pe < shmem_n_pes(); ++pe) shmem_long_p(&flag, turn, pe);
  } else {
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, turn);
  }
}

/// One PE holds the lock for a while, so that the others queue.
void useContendedLock() {
  shmem_barrier_all();
  shmem_set_lock(&lock);
  volatile long work = 0;
  for (long i = 0; i < 30'000; ++i) work = work + i;
  shmem_clear_lock(&lock);
}

void useHeap() { shmem_free(shmem_malloc(1000)); }

}  // namespace

int main() {
  for (int turn = 1;; ++turn) {
    shmem_init();
    useHeap();
    useLocks();
    useCollectives(turn);
    useTeams();
    useSleep(turn);
    useContendedLock();
    shmem_finalize();
  }
}
