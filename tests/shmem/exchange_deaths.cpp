// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Bring your own: processes that die while others need them, and shmem_global_exit. No launcher
// watches them. Run without oshrun.
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string>

#include <sys/resource.h>

#include "shmem/brought_job.h"

namespace {

using ucxx::test::Clock;
using ucxx::test::Job;
using ucxx::test::Process;

#define REQUIRE(condition, job) \
  ((condition) ? void() : ucxx::test::failTest(#condition, __LINE__, (job).said()))

constexpr int kInitFailed = 90, kWentOn = 91;
constexpr double kLimitSeconds = 2;

/// What the others are in when one dies.
struct Call {
  const char* name;
  void (*call)();
};

long* word = nullptr;
long* lock = nullptr;

const Call kCalls[] = {
    {"shmem_barrier_all", [] { shmem_barrier_all(); }},
    {"shmem_long_wait_until", [] { shmem_long_wait_until(word, SHMEM_CMP_EQ, 1); }},
    {"shmem_long_sum_reduce", [] { shmem_long_sum_reduce(SHMEM_TEAM_WORLD, word, word, 1); }},
    {"shmem_long_fcollect", [] { shmem_long_fcollect(SHMEM_TEAM_WORLD, word, word + 8, 1); }},
    {"shmem_malloc", [] { (void)shmem_malloc(100); }},
    {"shmem_set_lock", [] { shmem_set_lock(lock); }},
    {"shmem_finalize", [] { shmem_finalize(); }},
};

bool begin(Process& process) {
  if (process.init() != 0) return false;
  word = static_cast<long*>(shmem_calloc(16, sizeof(long)));
  lock = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  if (process.rank == 1) shmem_set_lock(lock);
  shmem_barrier_all();
  return true;
}

/// The last call before it dies: all others are about to wait.
void dieAfterOthers(Process& process, void (*die)()) {
  process.await(0, process.size - 1);
  die();
}

void die() { ::raise(SIGKILL); }
void crash() { ::raise(SIGSEGV); }
void leave() { ::_exit(0); }

/// All others have ended by an abort, with a message that names the dead one and the call.
void requireNoticed(Job& job, int size, const char* call, int first = 0) {
  job.end(first);
  REQUIRE(job.lasted().count() < kLimitSeconds, job);
  for (int rank = 0; rank < size; ++rank) REQUIRE(rank == 1 || job.wasKilled(rank, SIGABRT), job);
  REQUIRE(job.hasSaid("PE 1 (pid " + std::to_string(job.pid(1)) + ")") || size > 2, job);
  REQUIRE(job.hasSaid(call), job);
}

void testDeath(int size, const Call& call, void (*end)()) {
  Job job(size, [&](Process& process) {
    if (!begin(process)) return kInitFailed;
    if (process.rank == 1) dieAfterOthers(process, end);
    process.board.marks[0].fetch_add(1);
    call.call();
    return kWentOn;
  });
  requireNoticed(job, size, call.name);
}

void testDeaths() {
  for (const Call& call : kCalls) testDeath(2, call, die);
  testDeath(2, kCalls[0], crash);
  testDeath(2, kCalls[0], leave);
  testDeath(4, kCalls[0], die);
  testDeath(7, kCalls[2], die);
}

/// Behind the exchange, before it has got or handed out the memory: no matter whether its parent
/// fetches its status.
void testDeathBehindTheAllgather() {
  for (const int dead : {0, 1, 2}) {
    for (const int first : {0, dead}) {
      Job job(3, [&](Process& process) {
        if (process.rank == dead) process.then = die;
        return process.init() != 0 ? kInitFailed : kWentOn;
      });
      job.end(first);
      REQUIRE(job.lasted().count() < kLimitSeconds, job);
      for (int rank = 0; rank < 3; ++rank)
        REQUIRE(rank == dead ? job.wasKilled(rank, SIGKILL) : job.hasExited(rank, kInitFailed),
                job);
      REQUIRE(job.hasSaid("PE " + std::to_string(dead) + " (pid " + std::to_string(job.pid(dead))),
              job);
    }
  }
}

/// Two at once.
void testDeathsBehindTheAllgather() {
  Job job(5, [](Process& process) {
    if (process.rank % 2 == 1) process.then = die;
    return process.init() != 0 ? kInitFailed : kWentOn;
  });
  job.end();
  REQUIRE(job.lasted().count() < kLimitSeconds, job);
  for (const int rank : {0, 2, 4}) REQUIRE(job.hasExited(rank, kInitFailed), job);
}

/// Its parent has fetched its status before anybody looks, so that its number means nothing any
/// more.
void testDeathThatIsReaped() {
  Job job(3, [](Process& process) {
    if (!begin(process)) return kInitFailed;
    if (process.rank == 1) dieAfterOthers(process, die);
    process.board.marks[0].fetch_add(1);
    shmem_barrier_all();
    return kWentOn;
  });
  requireNoticed(job, 3, "shmem_barrier_all", 1);
}

/// Also in the next initialisation.
void testDeathBetween() {
  Job job(2, [](Process& process) {
    if (!begin(process)) return kInitFailed;
    shmem_finalize();
    if (process.rank == 1) die();
    shmem_init();
    return kWentOn;
  });
  requireNoticed(job, 2, "shmem_init");
}

/// One that has finalised may leave, whatever the others do.
void testLeavingIsNoDeath() {
  Job job(3, [](Process& process) {
    if (!begin(process)) return kInitFailed;
    shmem_finalize();
    if (process.rank == 1) return 0;
    process.await(0, 1);
    return 0;
  });
  ::waitpid(job.pid(1), nullptr, 0);
  job.board().marks[0] = 1;
  int statuses[2] = {-1, -1};
  ::waitpid(job.pid(0), &statuses[0], 0);
  ::waitpid(job.pid(2), &statuses[1], 0);
  REQUIRE(statuses[0] == 0 && statuses[1] == 0, job);
}

/// Slow is not dead.
void testStopped() {
  Job job(2, [](Process& process) {
    if (!begin(process)) return kInitFailed;
    process.board.marks[0].fetch_add(1);
    if (process.rank == 1) process.await(1, 1);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
  });
  while (job.board().marks[0] < 2) ::sched_yield();
  ::kill(job.pid(1), SIGSTOP);
  job.board().marks[1] = 1;
  const auto end = Clock::now() + std::chrono::milliseconds(400);
  while (Clock::now() < end) ::sched_yield();  // a few of the looks at the peers
  ::kill(job.pid(1), SIGCONT);
  job.end();
  REQUIRE(job.hasExited(0, 0) && job.hasExited(1, 0), job);
}

// shmem_global_exit -------------------------------------------------------------------------------

/// It ends with the status, or is ended.
void requireLeft(Job& job, int size, int status) {
  job.end();
  REQUIRE(job.lasted().count() < kLimitSeconds, job);
  for (int rank = 0; rank < size; ++rank)
    REQUIRE(job.hasExited(rank, status) || job.wasKilled(rank, SIGTERM), job);
}

void testGlobalExit(int size, void (*meanwhile)()) {
  Job job(size, [&](Process& process) {
    if (!begin(process)) return kInitFailed;
    process.board.marks[0].fetch_add(1);
    if (process.rank == 1) {
      process.await(0, process.size);
      shmem_global_exit(5);
    }
    meanwhile();
    return kWentOn;
  });
  requireLeft(job, size, 5);
  REQUIRE(job.hasExited(1, 5), job);
}

/// Without a call.
void compute() {
  for (volatile bool is_needed = true; is_needed;) {
  }
}

void testGlobalExits() {
  testGlobalExit(2, kCalls[0].call);
  testGlobalExit(4, kCalls[0].call);
  testGlobalExit(2, kCalls[1].call);
  testGlobalExit(3, compute);
}

/// Of several statuses one counts.
void testGlobalExitOfAll() {
  Job job(4, [](Process& process) {
    if (!begin(process)) return kInitFailed;
    shmem_barrier_all();
    shmem_global_exit(10 + process.rank);
  });
  job.end();
  REQUIRE(job.lasted().count() < kLimitSeconds, job);
  int counts = -1;
  for (int rank = 0; rank < 4; ++rank) {
    if (job.wasKilled(rank, SIGTERM)) continue;
    REQUIRE(WIFEXITED(job.status(rank)), job);
    if (counts < 0) counts = WEXITSTATUS(job.status(rank));
    REQUIRE(job.hasExited(rank, counts), job);
  }
  REQUIRE(counts >= 10 && counts < 14, job);
}

}  // namespace

int main() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(50);
  testDeaths();
  testLeavingIsNoDeath();
  testStopped();
  testGlobalExits();
  testGlobalExitOfAll();
  testDeathBehindTheAllgather();
  testDeathsBehindTheAllgather();
  testDeathThatIsReaped();
  testDeathBetween();
}
