// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Threads of a PE that start processes at the same time, by fork, system, popen and posix_spawn,
// while peers write into the PE.
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "shmem/check.h"
#include "shmem/forked.h"
#include "shmem/started.h"

namespace {

using ucxx::test::checkEndsWell;
using ucxx::test::leaveNoCore;
using ucxx::test::outputOf;
using ucxx::test::ownPath;
using ucxx::test::spawned;
using ucxx::test::statusOf;

constexpr int kThreads = 4;
constexpr std::size_t kWords = 50'000;

/// A part for each thread, which changes it, and what the peers change.
std::array<std::array<long, kWords>, kThreads> parts;
long hits = 0;

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

/// Runs work(thread) in each of some threads, which begin together, and waits for all.
template <class Work>
void inThreads(const Work& work) {
  std::atomic<int> there{0};
  std::vector<std::thread> running;
  for (int thread = 0; thread < kThreads; ++thread) {
    running.emplace_back([&, thread] {
      ++there;
      while (there < kThreads) std::this_thread::yield();
      work(thread);
    });
  }
  for (std::thread& thread : running) thread.join();
}

/// In a child, which can use only what is safe in a signal handler: it has the values of the moment
/// of the fork, and its writes are its own.
int useOwnVariables(int thread, long value) {
  auto& own = parts[static_cast<std::size_t>(thread)];
  for (const long word : own) {
    if (word != value) return 1;
  }
  own.fill(-1);
  const volatile long& hit = hits;
  const long before = hit;
  for (int look = 0; look < 10'000; ++look) {
    if (hit != before) return 2;
  }
  return own[kWords / 2] == -1 ? 0 : 3;
}

/// While the peer writes all the time.
template <class Work>
void underFire(const Work& work) {
  static long goes_on;
  goes_on = 1;
  shmem_barrier_all();
  std::thread writer([] {
    while (__atomic_load_n(&goes_on, __ATOMIC_RELAXED) != 0) shmem_long_atomic_inc(&hits, next());
  });
  work();
  __atomic_store_n(&goes_on, 0, __ATOMIC_RELAXED);
  writer.join();
  shmem_barrier_all();
}

void testOwnVariables() {
  inThreads([](int thread) {
    auto& own = parts[static_cast<std::size_t>(thread)];
    for (long value = 1; value <= 20; ++value) {
      own.fill(value);
      const pid_t pid = ::fork();
      CHECK(pid >= 0);
      if (pid == 0) ::_exit(useOwnVariables(thread, value));
      own.fill(-value);  // as soon as it may
      checkEndsWell(statusOf(pid));
      for (const long word : own) CHECK_EQ(word, -value);
    }
  });
}

/// Each call aborts the child, and nobody else.
void testCallsInChildren() {
  static long word;
  word = 5;
  shmem_barrier_all();
  using Call = void();
  static constexpr Call* kCalls[kThreads] = {
      [] { shmem_long_p(&word, 9, 0); }, [] { (void)shmem_my_pe(); },
      [] { shmem_long_atomic_inc(&word, next()); }, [] { shmem_barrier_all(); }};
  inThreads([](int thread) {
    for (int time = 0; time < 5; ++time) {
      const pid_t pid = ::fork();
      CHECK(pid >= 0);
      if (pid == 0) {
        leaveNoCore();
        ::close(STDERR_FILENO);
        kCalls[thread]();
        ::_exit(0);
      }
      const int status = statusOf(pid);
      CHECK(WIFSIGNALED(status));
      CHECK_EQ(WTERMSIG(status), SIGABRT);
    }
  });
  shmem_barrier_all();
  CHECK_EQ(word, 5);
}

/// The program itself, started by a thread of a PE, is a job of one PE.
void testPrograms() {
  const std::string path = ownPath(), command = "'" + path + "' alone";
  inThreads([&](int thread) {
    for (int time = 0; time < 4; ++time) {
      switch ((thread + time) % 4) {
        case 0:
          checkEndsWell(std::system(command.c_str()));  // NOLINT(concurrency-mt-unsafe)
          break;
        case 1:
          CHECK_EQ(outputOf(command + " aloud"), "alone\n");
          break;
        case 2:
          checkEndsWell(spawned(path));
          break;
        default:
          CHECK_EQ(WEXITSTATUS(std::system("exit 3")), 3);  // NOLINT(concurrency-mt-unsafe)
      }
    }
  });
}

int beAlone(bool is_aloud) {
  shmem_init();
  CHECK_EQ(shmem_n_pes(), 1);
  CHECK_EQ(hits, 0);
  shmem_long_p(&hits, 3, 0);
  shmem_barrier_all();
  CHECK_EQ(hits, 3);
  shmem_finalize();
  if (is_aloud) std::puts("alone");
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "alone") == 0) return beAlone(count > 2);
  int level = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  underFire(testOwnVariables);
  testCallsInChildren();
  underFire(testPrograms);
  shmem_finalize();
}
