// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Thread levels, and several threads of a PE that call at the same time.
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "shmem/active_set.h"
#include "shmem/check.h"
#include "shmem/some_teams.h"

namespace {

using ucxx::test::PSync;

constexpr int kThreads = 4;
constexpr std::size_t kWords = 64;

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }
int previous() { return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes(); }

/// Runs work(thread) in each of some threads, and waits for all.
template <class Work>
void inThreads(const Work& work, int threads = kThreads) {
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread)
    running.emplace_back([&work, thread] { work(thread); });
  for (std::thread& thread : running) thread.join();
}

/// What the threads of the other PEs write into.
struct alignas(64) Row {
  std::array<long, kWords> words;
  std::uint64_t arrived, taken;
  int flag;
  std::array<int, 4> flags;
  long lock, counter;
};
std::array<Row, kThreads> rows;
long sum = 0;

Row& rowOf(int thread) { return rows[static_cast<std::size_t>(thread)]; }

void clearRows() {
  rows = {};
  sum = 0;
  shmem_barrier_all();
}

// What threads do
// ----------------------------------------------------------------------------------

/// Rings of equal threads: each hands on what the one before has written, on a context of its own.
void handOn(int thread, long options) {
  Row& row = rowOf(thread);
  shmem_ctx_t context = SHMEM_CTX_INVALID;
  CHECK_EQ(shmem_ctx_create(options, &context), 0);
  std::array<long, kWords> source{};
  for (std::uint64_t round = 1; round <= 100; ++round) {
    source.fill(static_cast<long>(round) * 100 + 10L * shmem_my_pe() + thread);
    shmem_ctx_long_put(context, row.words.data(), source.data(), kWords, next());
    shmem_ctx_fence(context);
    shmem_ctx_signal_add(context, &row.arrived, 1, next());
    shmem_signal_wait_until(&row.arrived, SHMEM_CMP_EQ, round);
    for (const long word : row.words)
      CHECK_EQ(word, static_cast<long>(round) * 100 + 10L * previous() + thread);
    shmem_ctx_signal_set(context, &row.taken, round, previous());
    shmem_signal_wait_until(&row.taken, SHMEM_CMP_EQ, round);
  }
  shmem_ctx_destroy(context);
}

void testOwnContexts() {
  for (const long options :
       {0L, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE}) {
    clearRows();
    inThreads([&](int thread) { handOn(thread, options); });
    shmem_barrier_all();
  }
}

/// One context for all threads, and one word for all threads of all PEs.
void testSharedContext() {
  clearRows();
  shmem_ctx_t context = SHMEM_CTX_INVALID;
  CHECK_EQ(shmem_ctx_create(0, &context), 0);
  inThreads([&](int thread) {
    for (int time = 0; time < 500; ++time) {
      shmem_ctx_long_atomic_add(context, &sum, 1, 0);
      shmem_ctx_long_p(context, &rowOf(thread).words[0], time, next());
      shmem_long_atomic_fetch_inc(&sum, 0);
      if (time % 50 == 0) shmem_ctx_quiet(context);
      if (time % 70 == 0) shmem_quiet();
    }
  });
  shmem_ctx_destroy(context);
  shmem_barrier_all();
  CHECK_EQ(shmem_long_g(&sum, 0), 1000L * kThreads * shmem_n_pes());
  for (const Row& row : rows) CHECK_EQ(row.words[0], 499);
  shmem_barrier_all();
}

/// A thread that waits does not stop the one that it waits for.
void testWaitsForEachOther() {
  clearRows();
  inThreads([](int thread) {
    for (int round = 1; round <= 200; ++round) {
      shmem_int_atomic_set(&rowOf((thread + 1) % kThreads).flag, round, shmem_my_pe());
      shmem_int_wait_until(&rowOf(thread).flag, SHMEM_CMP_GE, round);
    }
  });
  for (const Row& row : rows) CHECK_EQ(row.flag, 200);
  shmem_barrier_all();
}

/// Waits for several words, in several threads.
void testWaitsForSeveral() {
  clearRows();
  inThreads([](int thread) {
    Row& row = rowOf(thread);
    for (int round = 1; round <= 50; ++round) {
      for (std::size_t i = 0; i < 4; ++i) shmem_int_p(&row.flags[i], round, next());
      shmem_int_wait_until_all(row.flags.data(), 4, nullptr, SHMEM_CMP_GE, round);
      CHECK(shmem_int_wait_until_any(row.flags.data(), 4, nullptr, SHMEM_CMP_GE, round) < 4);
      std::size_t indices[4];
      CHECK_EQ(shmem_int_test_some(row.flags.data(), 4, indices, nullptr, SHMEM_CMP_GE, round), 4U);
    }
  });
  shmem_barrier_all();
}

void testLocks() {
  clearRows();
  inThreads([](int thread) {
    Row& row = rowOf(thread);
    for (int time = 0; time < 100; ++time) {
      if (time % 2 == 0 || shmem_test_lock(&row.lock) != 0) shmem_set_lock(&row.lock);
      shmem_long_p(&row.counter, shmem_long_g(&row.counter, 0) + 1, 0);
      shmem_clear_lock(&row.lock);
    }
  });
  shmem_barrier_all();
  for (const Row& row : rows) CHECK_EQ(shmem_long_g(&row.counter, 0), 100L * shmem_n_pes());
  shmem_barrier_all();
}

void testContextsComeAndGo() {
  clearRows();
  inThreads([](int thread) {
    for (int time = 0; time < 500; ++time) {
      shmem_ctx_t context = SHMEM_CTX_INVALID;
      CHECK_EQ(shmem_team_create_ctx(SHMEM_TEAM_SHARED, time % 8, &context), 0);
      shmem_ctx_long_atomic_inc(context, &rowOf(thread).counter, next());
      shmem_ctx_destroy(context);
    }
  });
  shmem_barrier_all();
  for (const Row& row : rows) CHECK_EQ(row.counter, 500);
  shmem_barrier_all();
}

// Collectives, each thread in those of a team of its own
// ---------------------------------------------

struct Parts {
  long *dest, *source;
};

void callSome(shmem_team_t team, const Parts& parts) {
  const int me = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
  for (long round = 0; round < 100; ++round) {
    parts.source[0] = round + me;
    CHECK_EQ(shmem_long_sum_reduce(team, parts.dest, parts.source, 1), 0);
    CHECK_EQ(parts.dest[0], round * size + size * (size - 1L) / 2);
    CHECK_EQ(shmem_long_fcollect(team, parts.dest + 1, parts.source, 1), 0);
    for (int member = 0; member < size; ++member) CHECK_EQ(parts.dest[1 + member], round + member);
    CHECK_EQ(shmem_team_sync(team), 0);
  }
}

Parts partsOf(long* memory, int thread) {
  const auto room = static_cast<std::size_t>(shmem_n_pes()) + 2;
  long* const begin = memory + static_cast<std::size_t>(thread) * room;
  return {begin, begin + room - 1};
}

/// Teams with the same members, of other order, of other size.
void testTeamsAtOnce() {
  const int pes = shmem_n_pes();
  auto* const memory = static_cast<long*>(
      shmem_malloc(kThreads * (static_cast<std::size_t>(pes) + 2) * sizeof(long)));
  const std::array<shmem_team_t, kThreads> teams{
      ucxx::test::splitTeam(SHMEM_TEAM_WORLD, 0, 1, pes),
      ucxx::test::splitTeam(SHMEM_TEAM_WORLD, pes - 1, -1, pes),
      ucxx::test::splitTeam(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2), SHMEM_TEAM_SHARED};
  inThreads([&](int thread) {
    const shmem_team_t team = teams[static_cast<std::size_t>(thread)];
    if (team != SHMEM_TEAM_INVALID) callSome(team, partsOf(memory, thread));
  });
  for (int i = 0; i < 3; ++i) shmem_team_destroy(teams[static_cast<std::size_t>(i)]);
  shmem_free(memory);
}

/// Parents that are split in different threads.
void testSplitsAtOnce() {
  std::array<shmem_team_t, kThreads> parents{};
  for (shmem_team_t& parent : parents)
    parent = ucxx::test::splitTeam(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes());
  inThreads([&](int thread) {
    const shmem_team_t parent = parents[static_cast<std::size_t>(thread)];
    for (int time = 0; time < 50; ++time) {
      const shmem_team_t child =
          ucxx::test::splitTeam(parent, shmem_n_pes() - 1, -1, shmem_n_pes());
      CHECK_EQ(shmem_team_my_pe(child), shmem_n_pes() - 1 - shmem_my_pe());
      shmem_team_sync(child);
      shmem_team_destroy(child);
    }
  });
  for (const shmem_team_t parent : parents) shmem_team_destroy(parent);
}

/// The same active set, with another pSync in each thread.
void testActiveSetsAtOnce() {
  static std::array<std::array<PSync<SHMEM_REDUCE_SYNC_SIZE>, 2>, kThreads> psyncs;
  static std::array<std::array<long, 4>, kThreads> words;
  inThreads([](int thread) {
    auto& own = words[static_cast<std::size_t>(thread)];
    long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
    for (std::size_t round = 0; round < 200; ++round) {
      own[2] = static_cast<long>(round);
      long* const dest = &own[round % 2];
      shmem_long_sum_to_all(dest, &own[2], 1, 0, 0, shmem_n_pes(), work,
                            psyncs[static_cast<std::size_t>(thread)][round % 2].get());
      CHECK_EQ(*dest, static_cast<long>(round) * shmem_n_pes());
    }
  });
  shmem_barrier_all();
}

/// World collectives in one thread, while others put and wait.
void testCollectivesBesidePuts() {
  clearRows();
  inThreads([&](int thread) {
    if (thread == 0) {
      for (int time = 0; time < 100; ++time) shmem_barrier_all();
    } else {
      for (int time = 0; time < 3000; ++time) shmem_long_atomic_inc(&rowOf(thread).counter, next());
      shmem_long_wait_until(&rowOf(thread).counter, SHMEM_CMP_EQ, 3000);
    }
  });
  shmem_barrier_all();
}

// Levels
// -------------------------------------------------------------------------------------------

void testLevel(int level) {
  int provided = -1, found = -1;
  CHECK_EQ(shmem_init_thread(level, &provided), 0);
  CHECK(provided >= level);
  inThreads([&](int) {
    int initialized = 0, in_force = -1;
    shmem_query_initialized(&initialized);
    CHECK(initialized != 0);
    shmem_query_thread(&in_force);
    CHECK_EQ(in_force, provided);
  });
  shmem_query_thread(&found);
  CHECK_EQ(found, provided);
  shmem_barrier_all();
  shmem_finalize();
}

/// Any thread, one at a time; collectives of all PEs too.
void testSerialized() {
  int provided = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_SERIALIZED, &provided), 0);
  static long dest, source;
  std::mutex mutex;
  long rounds = 0;
  inThreads([&](int) {
    for (int time = 0; time < 50; ++time) {
      const std::lock_guard lock(mutex);
      source = ++rounds;
      CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1), 0);
      CHECK_EQ(dest, rounds * shmem_n_pes());
      shmem_long_atomic_inc(&sum, next());
    }
  });
  shmem_barrier_all();
  CHECK_EQ(sum, 50 * kThreads);
  shmem_finalize();
}

void testMultiple() {
  int provided = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
  CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
  testOwnContexts();
  testSharedContext();
  testWaitsForEachOther();
  testWaitsForSeveral();
  testLocks();
  testContextsComeAndGo();
  testTeamsAtOnce();
  testSplitsAtOnce();
  testActiveSetsAtOnce();
  testCollectivesBesidePuts();
  shmem_finalize();
}

}  // namespace

int main() {
  for (const int level :
       {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE})
    testLevel(level);
  testSerialized();
  testMultiple();
}
