// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Processes that a PE starts: a forked child has variables of its own and is no PE; a program that
// it executes is a job of one PE. Also compiled by statics_check.py in other ways.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "shmem/check.h"
#include "shmem/forked.h"
#include "shmem/started.h"

int global_value = 41;
int later_value = 1;
std::array<int, 100'000> large_array;

namespace {

using ucxx::test::Baton;
using ucxx::test::checkEndsWell;
using ucxx::test::End;
using ucxx::test::endOf;
using ucxx::test::forkChild;
using ucxx::test::outputOf;
using ucxx::test::ownPath;
using ucxx::test::spawned;
using ucxx::test::statusOf;

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

void testBeforeInit() {
  const pid_t pid = forkChild([] {
    global_value = 1000;
    return 0;
  });
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid || status != 0 || global_value != 41) std::_Exit(1);
}

/// Neither sees what the other writes after the fork, nor what a peer puts into the parent.
void testOwnVariables() {
  const Baton to_parent, to_child;
  global_value = 41;
  later_value = 1;
  large_array.fill(5);
  shmem_barrier_all();
  const pid_t pid = forkChild([&] {
    const bool is_copy = global_value == 41 && large_array[99'999] == 5;
    global_value = 100;
    large_array.fill(6);
    to_parent.give();
    to_child.await();
    return is_copy && global_value == 100 && later_value == 1 && large_array[50'000] == 6 ? 0 : 1;
  });
  to_parent.await();
  CHECK_EQ(global_value, 41);
  CHECK_EQ(large_array[99'999], 5);
  CHECK_EQ(shmem_int_g(&global_value, next()), 41);
  shmem_barrier_all();
  shmem_int_p(&global_value, 7, next());
  later_value = 2;
  shmem_barrier_all();
  large_array.fill(7);
  to_child.give();
  checkEndsWell(statusOf(pid));
  CHECK_EQ(global_value, 7);
  CHECK_EQ(large_array[0], 7);
  shmem_barrier_all();
}

/// A child of a child too; and the exit handlers of both do no harm.
/// The child has the values of the moment, also of what its parent changes as soon as it may.
void testValuesOfTheMoment() {
  constexpr int kChildren = 50;
  for (int child = 0; child < kChildren; ++child) {
    global_value = child;
    std::fflush(nullptr);
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(global_value == child ? 0 : 1);
    global_value = -1;
    checkEndsWell(statusOf(pid));
  }
}

void testGrandchild() {
  global_value = 41;
  const pid_t pid = forkChild([]() -> int {
    global_value = 42;
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      const bool is_copy = global_value == 42;
      global_value = 43;
      std::exit(is_copy ? 0 : 1);  // NOLINT(concurrency-mt-unsafe)
    }
    int status = 1;
    ::waitpid(grandchild, &status, 0);
    if (global_value != 42) status = 1;
    std::exit(status == 0 ? 0 : 1);  // NOLINT(concurrency-mt-unsafe)
  });
  checkEndsWell(statusOf(pid));
  CHECK_EQ(global_value, 41);
}

/// It says which function was called where, and aborts.
template <class Call>
void checkAborts(const char* name, const Call& call) {
  const End end = endOf(call);
  if (!WIFSIGNALED(end.status) || WTERMSIG(end.status) != SIGABRT ||
      end.said.find(name) == std::string::npos || end.said.find("fork") == std::string::npos) {
    std::fprintf(stderr, "%s in a child: status %d: %s\n", name, end.status, end.said.c_str());
    CHECK(false);
  }
}

void testCallsInChild() {
  static int* const block = static_cast<int*>(shmem_calloc(1, sizeof(int)));
  checkAborts("shmem_my_pe", [] { (void)shmem_my_pe(); });
  checkAborts("shmem_n_pes", [] { (void)shmem_n_pes(); });
  checkAborts("shmem_int_p", [] { shmem_int_p(&global_value, 1, 0); });
  checkAborts("shmem_int_p", [] { shmem_int_p(block, 1, 0); });
  checkAborts("shmem_int_g", [] { (void)shmem_int_g(&global_value, 0); });
  checkAborts("shmem_putmem", [] { shmem_putmem(block, "abcd", 4, 0); });
  checkAborts("shmem_int_atomic_inc", [] { shmem_int_atomic_inc(block, 0); });
  checkAborts("shmem_int_wait_until", [] { shmem_int_wait_until(block, SHMEM_CMP_EQ, 0); });
  checkAborts("shmem_malloc", [] { (void)shmem_malloc(10); });
  checkAborts("shmem_barrier_all", [] { shmem_barrier_all(); });
  checkAborts("shmem_team_sync", [] { shmem_team_sync(SHMEM_TEAM_WORLD); });
  checkAborts("shmem_int_sum_reduce",
              [] { shmem_int_sum_reduce(SHMEM_TEAM_WORLD, block, block, 1); });
  checkAborts("shmem_int_broadcast",
              [] { shmem_int_broadcast(SHMEM_TEAM_WORLD, block, block, 1, 0); });
  checkAborts("shmem_int_fcollect", [] { shmem_int_fcollect(SHMEM_TEAM_WORLD, block, block, 1); });
  checkAborts("shmem_ctx_create", [] {
    shmem_ctx_t context;
    (void)shmem_ctx_create(0, &context);
  });
  checkAborts("shmem_finalize", [] { shmem_finalize(); });
  shmem_barrier_all();
  CHECK_EQ(*block, 0);
}

/// It cannot become a PE, and its exit is its own.
void testInitInChild() {
  const End init = endOf([] { shmem_init(); });
  CHECK(init.status != 0);
  CHECK(init.said.find("fork") != std::string::npos);
  const End init_thread = endOf([] {
    int provided = -1;
    if (shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) == 0) ::_exit(5);
    int initialized = -1;
    shmem_query_initialized(&initialized);
    ::_exit(initialized);
  });
  checkEndsWell(init_thread.status);
  CHECK(init_thread.said.find("fork") != std::string::npos);
  const End global_exit = endOf([] { shmem_global_exit(7); });
  CHECK(global_exit.status != 0);
}

/// The program itself, started by a PE, is a job of one PE, with its variables as they are at
/// first.
void testPrograms() {
  const std::string path = ownPath(), command = "'" + path + "' alone";
  global_value = 1234;
  CHECK_EQ(WEXITSTATUS(std::system("exit 3")), 3);  // NOLINT(concurrency-mt-unsafe)
  checkEndsWell(std::system(command.c_str()));      // NOLINT(concurrency-mt-unsafe)
  CHECK_EQ(outputOf("echo hello"), "hello\n");
  CHECK_EQ(outputOf(command + " aloud"), "alone\n");
  checkEndsWell(spawned(path));
  checkEndsWell(
      statusOf(forkChild([&] { return ::execl(path.c_str(), path.c_str(), "alone", nullptr); })));
  CHECK_EQ(global_value, 1234);
}

int beAlone(bool is_aloud) {
  if (std::getenv("UCXX_SHMEM_LAUNCH") != nullptr) return 1;  // NOLINT(concurrency-mt-unsafe)
  shmem_init();
  CHECK_EQ(shmem_n_pes(), 1);
  CHECK_EQ(global_value, 41);
  shmem_int_p(&global_value, 3, 0);
  shmem_barrier_all();
  CHECK_EQ(global_value, 3);
  CHECK(shmem_malloc(1000) != nullptr);
  shmem_finalize();
  if (is_aloud) std::puts("alone");
  return 0;
}

/// Children while peers write all the time.
void testForksUnderFire() {
  static long counter;
  counter = 0;
  shmem_barrier_all();
  for (int time = 0; time < 5; ++time) {
    const pid_t pid = forkChild([] {
      const volatile long& own = counter;
      const long before = own;
      for (int look = 0; look < 100'000; ++look) {
        if (own != before) return 1;
      }
      return 0;
    });
    for (int write = 0; write < 1000; ++write) shmem_long_atomic_inc(&counter, next());
    checkEndsWell(statusOf(pid));
  }
  shmem_barrier_all();
  CHECK_EQ(counter, 5000);
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "alone") == 0) return beAlone(count > 2);
  testBeforeInit();
  shmem_init();
  testOwnVariables();
  testValuesOfTheMoment();
  testGrandchild();
  testCallsInChild();
  testInitInChild();
  testPrograms();
  testForksUnderFire();
  shmem_finalize();
}
