// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Many more PEs than processors: all of them run on two, whatever the machine has.
#include <array>
#include <cstddef>
#include <cstdlib>

#include <sched.h>

#include "shmem/check.h"

namespace {

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

/// Before init, which looks at the processors.
void useTwoProcessors() {
  cpu_set_t all, two;
  CPU_ZERO(&two);
  if (::sched_getaffinity(0, sizeof all, &all) != 0) std::abort();
  for (int processor = 0; processor < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++processor) {
    if (CPU_ISSET(processor, &all)) CPU_SET(processor, &two);
  }
  if (::sched_setaffinity(0, sizeof two, &two) != 0) std::abort();
}

/// Nobody leaves before the last one has come.
void testBarriers() {
  static long came;
  came = 0;
  shmem_barrier_all();
  for (long round = 1; round <= 50; ++round) {
    for (int pe = shmem_my_pe() % 8; pe < shmem_n_pes(); pe += 8) shmem_long_atomic_inc(&came, pe);
    shmem_barrier_all();
    CHECK_EQ(came, round * ((shmem_n_pes() + 7 - shmem_my_pe() % 8) / 8));
    shmem_sync_all();
  }
}

/// By flags and by parts.
void testReductions() {
  const int pes = shmem_n_pes();
  for (const std::size_t count : {std::size_t{1}, std::size_t{1000}}) {
    auto* const block = static_cast<long*>(shmem_malloc(2 * count * sizeof(long)));
    for (long round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < count; ++i) block[i] = round + shmem_my_pe();
      CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, block + count, block, count), 0);
      for (std::size_t i = 0; i < count; ++i)
        CHECK_EQ(block[count + i], round * pes + pes * (pes - 1L) / 2);
    }
    shmem_free(block);
  }
}

void testExchanges() {
  const auto pes = static_cast<std::size_t>(shmem_n_pes());
  const long me = shmem_my_pe();
  for (const std::size_t count : {std::size_t{1}, std::size_t{20}}) {
    auto* const source = static_cast<long*>(shmem_malloc(2 * pes * count * sizeof(long)));
    long* const dest = source + pes * count;
    for (long round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < pes * count; ++i)
        source[i] = round + me * 1000 + static_cast<long>(i / count);
      CHECK_EQ(shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, count), 0);
      for (std::size_t i = 0; i < pes * count; ++i)
        CHECK_EQ(dest[i], round + static_cast<long>(i / count) * 1000 + me);
      shmem_sync_all();
    }
    shmem_free(source);
  }
}

/// A word goes around all PEs.
void testRing() {
  static long word;
  word = 0;
  shmem_barrier_all();
  for (long lap = 1; lap <= 10; ++lap) {
    if (shmem_my_pe() == 0) shmem_long_p(&word, lap, next());
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, lap);
    if (shmem_my_pe() != 0) shmem_long_p(&word, lap, next());
  }
  shmem_barrier_all();
}

/// All put at once, and each waits for what all have put to it.
void testWaits() {
  static std::array<long, 64> words;
  words.fill(0);
  shmem_barrier_all();
  for (long round = 1; round <= 5; ++round) {
    for (int step = 0; step < shmem_n_pes(); ++step)
      shmem_long_p(&words.at(static_cast<std::size_t>(shmem_my_pe())), round,
                   (shmem_my_pe() + step) % shmem_n_pes());
    shmem_long_wait_until_all(words.data(), static_cast<std::size_t>(shmem_n_pes()), nullptr,
                              SHMEM_CMP_GE, round);
  }
  shmem_barrier_all();
}

}  // namespace

int main() {
  useTwoProcessors();
  for (int time = 0; time < 2; ++time) {
    shmem_init();
    testBarriers();
    testReductions();
    testExchanges();
    testRing();
    testWaits();
    shmem_finalize();
  }
}
