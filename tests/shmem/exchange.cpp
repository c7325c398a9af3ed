// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Bring your own: processes that the test starts itself become a job with shmemx_init_with. Run
// without oshrun.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// A child that the PE forks reads its memory and a peer's.
int tryChild() {
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  auto* const word = static_cast<int*>(shmem_malloc(sizeof(int)));
  const auto* const peers = static_cast<int*>(shmem_ptr(word, next));
  *word = me + 1;
  shmem_barrier_all();
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(*word == me + 1 && *peers == next + 1 ? 0 : 1);
  int status = -1;
  EXPECT(::waitpid(pid, &status, 0) == pid && status == 0);
  shmem_free(word);
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
  EXPECT(process.size == 1 || process.turns == 1);
  int level = -1;
  shmem_query_thread(&level);
  EXPECT(level == SHMEM_THREAD_MULTIPLE);
  for (int pe = 0; pe < process.size; ++pe)
    EXPECT(shmem_addr_accessible(&a_static, pe) == (process.size == 1));
  EXPECT(tryPuts() == 0 && tryCollectives() == 0 && tryWaits() == 0 && tryChild() == 0);
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
  Job job(3, [&](Process& process) {
    process.fails = true;
    return statusOfInit(process);
  });
  requireRefused(job, 3, "17");
}

/// The program's allgather tells the others that it has failed on one.
void testAllgatherThatFailsOnOne() {
  for (const int rank : {0, 1, 2}) {
    Job job(3, [&](Process& process) {
      process.fails = process.rank == rank;
      return statusOfInit(process);
    });
    requireRefused(job, 3, "allgather");
  }
}

void requireMissed(Job& job, int rank, double seconds) {
  requireAllExited(job.end(), 3, 3);
  REQUIRE(job.lasted().count() < seconds, job);
  REQUIRE(job.hasSaid("PE " + std::to_string(rank) + " (pid " + std::to_string(job.pid(rank))),
          job);
  REQUIRE(job.hasSaid("has the allgather failed there?"), job);
  REQUIRE(job.hasSaid("failed with 17"), job);
}

/// Nor does it leave the others waiting where it fails on one alone, and nobody knows. That one
/// lives on.
void testAllgatherThatFailsUnseen() {
  const auto fail_on = [](int rank) {
    return [rank](Process& process) {
      process.succeeds_elsewhere = process.rank == rank;
      const int status = statusOfInit(process);
      process.board.marks[0].fetch_add(1);
      process.await(0, process.size);
      return status;
    };
  };
  Job without_first(3, fail_on(0));
  requireMissed(without_first, 0, 2);
  Job without_second(3, fail_on(1)), without_last(3, fail_on(2));  // the patience of both at once
  requireMissed(without_second, 1, 13);
  requireMissed(without_last, 2, 13);
}

/// Some have the memory then, and some never come.
void testAllgatherThatFailsOnMany() {
  Job job(5, [](Process& process) {
    process.succeeds_elsewhere = process.rank % 2 == 1;
    return statusOfInit(process);
  });
  requireRefused(job, 5, "PE ");
}

/// What an allgather gives that does not do its work is no job.
void testWrongAllgathers() {
  const shmemx_allgather_t wrong[] = {[](const void*, void*, std::size_t, void*) { return 0; },
                                      [](const void* mine, void* all, std::size_t bytes, void*) {
                                        std::memcpy(all, mine, bytes);
                                        return 0;
                                      },
                                      [](const void*, void* all, std::size_t bytes, void*) {
                                        std::memset(all, 0x5a, 3 * bytes);
                                        return 0;
                                      }};
  for (const shmemx_allgather_t allgather : wrong) {
    Job job(3, [&](Process& process) {
      int provided = -1;
      return shmemx_init_with(process.rank, 3, allgather, nullptr, 0, &provided) == 0 ? 0 : 3;
    });
    requireRefused(job, 3, "");
  }
}

/// A second time it says the same, at once, and asks nobody.
int statusOfRetry(Process& process) {
  EXPECT(process.init() != 0);
  std::fprintf(stderr, "again\n");
  process.fails = process.succeeds_elsewhere = false;
  const int turns = process.turns;
  EXPECT(process.init() != 0);
  int provided = -1;
  EXPECT(shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0);
  EXPECT(process.turns == turns);
  return 3;
}

void requireThrice(Job& job, const std::string& what) {
  const std::string said = job.said();
  int times = 0;
  for (std::size_t at = said.find(what); at != std::string::npos; at = said.find(what, at + 1))
    ++times;
  REQUIRE(times == 3, job);
}

void testRetry() {
  {
    Job job(1, [](Process& process) {
      process.size = 3;
      process.fails = true;
      return statusOfRetry(process);
    });
    requireRefused(job, 1, "ucxx: shmem_init_thread: the allgather of the program");
    requireThrice(job, "the allgather of the program has failed with 17");
  }
  for (const int rank : {0, 1}) {
    Job job(2, [&](Process& process) {
      if (process.rank == rank) ucxx::test::bytes_left = 0;
      const int status = statusOfRetry(process);
      process.board.marks[0].fetch_add(1);
      process.await(0, 2);
      return status;
    });
    requireRefused(job, 2, "ucxx: shmem_init_thread: PE " + std::to_string(rank) + ": the system");
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

rlim_t ownAddresses() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

/// Nor for one that has no addresses left to map the memory.
void testNoAddressesOnOne() {
  for (const int rank : {0, 1, 2}) {
    Job job(3, [&](Process& process) {
      const rlim_t most = ownAddresses() + (rlim_t{64} << 20);
      const rlimit few{most, most};
      if (process.rank == rank) ::setrlimit(RLIMIT_AS, &few);
      return statusOfInit(process);
    });
    requireRefused(job, 3, "PE " + std::to_string(rank) + ": ");
  }
}

/// Nor for one that has no descriptor left to get it.
void testNoDescriptorsOnOne() {
  for (const int rank : {1, 2}) {
    Job job(3, [&](Process& process) {
      process.then = [] {
        const auto next = static_cast<rlim_t>(::open("/dev/null", O_RDONLY | O_CLOEXEC)) + 1;
        const rlimit few{next + 1, next + 1};  // one is left, for the socket
        ::setrlimit(RLIMIT_NOFILE, &few);
      };
      if (process.rank != rank) process.then = nullptr;
      return statusOfInit(process);
    });
    requireRefused(job, 3, "PE " + std::to_string(rank) + ": ");
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

/// The reason goes to the handler of the thread, and to standard error when that is taken away.
int statusOfHeardInit(Process& process) {
  const auto init = [&] {
    int provided = -1;
    return shmemx_init_with(5, 2, Process::allgather, &process, SHMEM_THREAD_SINGLE, &provided);
  };
  const std::string reason = "shmemx_init_with: rank 5 of 2 is none: give 0 to size - 1";
  std::string heard;
  shmemx_set_warning_handler(
      [](const char* text, void* context) { *static_cast<std::string*>(context) += text; }, &heard);
  EXPECT(init() != 0);
  EXPECT(heard == reason);
  int of_another_thread = 0;
  std::thread([&] { of_another_thread = init(); }).join();
  EXPECT(of_another_thread != 0);
  EXPECT(heard == reason);
  shmemx_set_warning_handler(nullptr, nullptr);
  EXPECT(init() != 0);
  EXPECT(heard == reason);
  return 3;
}

void testWarningHandler() {
  const std::string line = "ucxx: shmemx_init_with: rank 5 of 2 is none: give 0 to size - 1\n";
  Job job(1, statusOfHeardInit);
  requireRefused(job, 1, line);
  REQUIRE(job.said() == line + line, job);
}

}  // namespace

int main() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(90);
  ::unsetenv("SHMEM_SYMMETRIC_SIZE");
  testSizes();
  testAgain();
  testTwoJobsAtOnce();
  testFailingAllgather();
  testAllgatherThatFailsOnOne();
  testAllgatherThatFailsUnseen();
  testAllgatherThatFailsOnMany();
  testWrongAllgathers();
  testRetry();
  testDifferentHeaps();
  testBadHeaps();
  testBadRanks();
  testWarningHandler();
  testOneBadHeap();
  testNoMemoryOnOne();
  testNoAddressesOnOne();
  testNoDescriptorsOnOne();
}
