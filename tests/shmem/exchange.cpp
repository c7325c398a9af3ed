// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Bring your own: processes that the test starts itself become a job with shmemx_init_with. Run
// without oshrun.
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include <sys/resource.h>

#include "shmem/brought_job.h"
#include "shmem/no_memory.h"

namespace {

using ucxx::test::Job;
using ucxx::test::Process;

#define REQUIRE(condition, job) \
  ((condition) ? void() : ucxx::test::failTest(#condition, __LINE__, (job).said()))
/// In a process of a job, whose body returns a status.
#define EXPECT(condition)                                              \
  do {                                                                 \
    if (!(condition)) {                                                \
      std::fprintf(stderr, "line %d: not %s\n", __LINE__, #condition); \
      return 1;                                                        \
    }                                                                  \
  } while (false)

int a_static = 0;

void requireAllExited(const Job& job, int size, int with) {
  for (int rank = 0; rank < size; ++rank) REQUIRE(job.hasExited(rank, with), job);
}

// What each process of a good job does -----------------------------------------------------------

int tryPuts() {
  const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes;
  auto* const words = static_cast<long*>(shmem_calloc(1000, sizeof(long)));
  EXPECT(words != nullptr);
  for (int i = 0; i < 1000; ++i) shmem_long_p(&words[i], me * 1000 + i, next);
  shmem_barrier_all();
  for (int i = 0; i < 1000; ++i) EXPECT(words[i] == (me + pes - 1) % pes * 1000 + i);
  shmem_barrier_all();
  words[0] = 0;
  shmem_barrier_all();
  for (int i = 0; i < 100; ++i) shmem_long_atomic_inc(words, 0);
  shmem_barrier_all();
  EXPECT(shmem_long_g(words, 0) == 100L * pes);
  shmem_free(words);
  return 0;
}

int tryCollectives() {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  auto* const words =
      static_cast<long*>(shmem_malloc((static_cast<std::size_t>(pes) + 1) * sizeof(long)));
  words[pes] = me;
  EXPECT(shmem_long_fcollect(SHMEM_TEAM_WORLD, words, words + pes, 1) == 0);
  for (int pe = 0; pe < pes; ++pe) EXPECT(words[pe] == pe);
  EXPECT(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words + pes, words + pes, 1) == 0);
  EXPECT(words[pes] == pes * (pes - 1L) / 2);
  shmem_free(words);
  return 0;
}

/// Waits that sleep, and are woken.
int tryWaits() {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  auto* const turn = static_cast<int*>(shmem_calloc(1, sizeof(int)));
  for (int round = 1; round <= 50; ++round) {
    if (me != 0) shmem_int_wait_until(turn, SHMEM_CMP_EQ, round);
    shmem_int_p(turn, round, (me + 1) % pes);
    if (me == 0) shmem_int_wait_until(turn, SHMEM_CMP_EQ, round);
  }
  shmem_free(turn);
  return 0;
}

std::ptrdiff_t descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

int workAsPe(Process& process) {
  const std::ptrdiff_t descriptors_before = descriptors();
  EXPECT(process.init() == 0);
  EXPECT(descriptors() <= descriptors_before + 1);
  EXPECT(shmem_my_pe() == process.rank);
  EXPECT(shmem_n_pes() == process.size);
  EXPECT(process.size == 1 || process.turns == 2);
  int level = -1;
  shmem_query_thread(&level);
  EXPECT(level == SHMEM_THREAD_MULTIPLE);
  for (int pe = 0; pe < process.size; ++pe)
    EXPECT(shmem_addr_accessible(&a_static, pe) == (process.size == 1));
  EXPECT(tryPuts() == 0 && tryCollectives() == 0 && tryWaits() == 0);
  return 0;
}

void testSizes() {
  for (const int size : {1, 2, 3, 4, 7}) {
    Job job(size, [](Process& process) {
      EXPECT(workAsPe(process) == 0);
      shmem_finalize();
      return 0;
    });
    requireAllExited(job.end(), size, 0);
    REQUIRE(job.said().empty(), job);
  }
}

/// Later initialisations need no exchange, and one with an exchange is an error.
void testAgain() {
  for (const int size : {1, 2, 4}) {
    Job job(size, [](Process& process) {
      EXPECT(workAsPe(process) == 0);
      shmem_init();
      shmem_finalize();
      shmem_finalize();
      for (int time = 0; time < 20; ++time) {
        shmem_init();
        EXPECT(shmem_my_pe() == process.rank && shmem_n_pes() == process.size);
        EXPECT(tryPuts() == 0);
        shmem_finalize();
      }
      const int turns = process.turns;
      EXPECT(process.init() != 0);
      EXPECT(process.turns == turns);
      int is_initialized = -1;
      shmem_query_initialized(&is_initialized);
      EXPECT(is_initialized == 0);
      return 0;
    });
    requireAllExited(job.end(), size, 0);
  }
}

void testTwoJobsAtOnce() {
  const auto work = [](Process& process) {
    EXPECT(process.init() == 0);
    for (int time = 0; time < 20; ++time) EXPECT(tryPuts() == 0 && tryCollectives() == 0);
    shmem_finalize();
    return 0;
  };
  Job first(2, work), second(3, work);
  requireAllExited(first.end(), 2, 0);
  requireAllExited(second.end(), 3, 0);
}

// What does not work ------------------------------------------------------------------------------

/// All processes get the error, at once, and say why.
void requireRefused(Job& job, int size, const std::string& why) {
  requireAllExited(job.end(), size, 3);
  REQUIRE(job.lasted().count() < 5, job);
  REQUIRE(job.hasSaid(why), job);
}

int statusOfInit(Process& process) {
  if (process.init() == 0) return 0;
  int is_initialized = -1;
  shmem_query_initialized(&is_initialized);
  return is_initialized == 0 ? 3 : 1;
}

void testFailingAllgather() {
  for (const int turn : {0, 1}) {
    Job job(3, [&](Process& process) {
      process.fails_at = turn;
      return statusOfInit(process);
    });
    requireRefused(job, 3, "17");
  }
}

/// The program's allgather tells the others that it has failed on one.
void testAllgatherThatFailsOnOne() {
  Job job(3, [](Process& process) {
    if (process.rank == 1) process.fails_at = 0;
    return statusOfInit(process);
  });
  requireRefused(job, 3, "allgather");
}

/// Nor does the last one leave the others waiting where it fails on one alone, and nobody knows.
void testAllgatherThatFailsUnseen() {
  for (const int rank : {0, 1, 2}) {
    Job job(3, [&](Process& process) {
      if (process.rank == rank) process.succeeds_elsewhere = 1;
      return statusOfInit(process);
    });
    requireRefused(job, 3, "PE " + std::to_string(rank) + " (pid ");
  }
}

void testDifferentHeaps() {
  Job job(3, [](Process& process) {
    if (process.rank == 2) ::setenv("SHMEM_SYMMETRIC_SIZE", "10m", 1);
    return statusOfInit(process);
  });
  requireRefused(job, 3, "SHMEM_SYMMETRIC_SIZE");
}

void testBadHeaps() {
  Job job(3, [](Process& process) {
    ::setenv("SHMEM_SYMMETRIC_SIZE", "much", 1);
    return statusOfInit(process);
  });
  requireRefused(job, 3, "SHMEM_SYMMETRIC_SIZE=much");
}

/// What is wrong with one is an error of all, before any waits for it.
void testOneBadHeap() {
  Job job(3, [](Process& process) {
    if (process.rank == 1) ::setenv("SHMEM_SYMMETRIC_SIZE", "much", 1);
    return statusOfInit(process);
  });
  requireRefused(job, 3, "SHMEM_SYMMETRIC_SIZE=much");
}

/// Nor does one wait for another one that the system gives no memory: none at all, or none but for
/// the page of all.
void testNoMemoryOnOne() {
  for (const int rank : {0, 1, 2}) {
    for (const off_t left : {0, 4096}) {
      Job job(3, [&](Process& process) {
        if (process.rank == rank) ucxx::test::bytes_left = left;
        return statusOfInit(process);
      });
      requireRefused(job, 3, "PE " + std::to_string(rank) + ": the system has no memory");
    }
  }
}

void testBadRanks() {
  for (const std::array<int, 2> rank_and_size :
       {std::array{-1, 2}, {2, 2}, {0, 0}, {0, -1}, {5, 2}}) {
    Job job(1, [&](Process& process) {
      int provided = -1;
      return shmemx_init_with(rank_and_size[0], rank_and_size[1], Process::allgather, &process,
                              SHMEM_THREAD_SINGLE, &provided) == 0
                 ? 0
                 : 3;
    });
    requireRefused(job, 1, std::to_string(rank_and_size[0]));
  }
}

}  // namespace

int main() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(50);
  ::unsetenv("SHMEM_SYMMETRIC_SIZE");
  testSizes();
  testAgain();
  testTwoJobsAtOnce();
  testFailingAllgather();
  testAllgatherThatFailsOnOne();
  testAllgatherThatFailsUnseen();
  testDifferentHeaps();
  testBadHeaps();
  testBadRanks();
  testOneBadHeap();
  testNoMemoryOnOne();
}
