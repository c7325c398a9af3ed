// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A forked child reads the symmetric heap of all PEs, which it shares with them, and can write
// nothing there.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shmem/check.h"
#include "shmem/forked.h"

namespace {

using ucxx::test::Baton;
using ucxx::test::checkEndsWell;
using ucxx::test::forkChild;
using ucxx::test::leaveNoCore;
using ucxx::test::statusOf;

constexpr std::size_t kLongs = 20'000;

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

long valueOf(int pe) { return 1000 + pe; }

/// A block that each PE has filled with its own value.
long* filledBlock() {
  auto* const block = static_cast<long*>(shmem_malloc(kLongs * sizeof(long)));
  CHECK(block != nullptr);
  std::fill_n(block, kLongs, valueOf(shmem_my_pe()));
  shmem_barrier_all();
  return block;
}

bool has(const long* block, long value, std::size_t first = 0) {
  return std::all_of(block + first, block + kLongs, [value](long word) { return word == value; });
}

/// Where the PEs have the block, by their numbers.
std::vector<long*> placesOf(long* block) {
  std::vector<long*> places;
  for (int pe = 0; pe < shmem_n_pes(); ++pe)
    places.push_back(static_cast<long*>(shmem_ptr(block, pe)));
  return places;
}

bool haveTheirs(const std::vector<long*>& places) {
  for (std::size_t pe = 0; pe < places.size(); ++pe) {
    if (!has(places[pe], valueOf(static_cast<int>(pe)))) return false;
  }
  return true;
}

/// So do its own children.
void testReadsAllPes() {
  long* const block = filledBlock();
  const std::vector<long*> places = placesOf(block);
  const long own = valueOf(shmem_my_pe());
  checkEndsWell(statusOf(forkChild([&] {
    if (!has(block, own)) return 1;
    if (!haveTheirs(places)) return 2;
    const pid_t grandchild = ::fork();
    if (grandchild == 0) ::_exit(haveTheirs(places) ? 0 : 1);
    int status = 1;
    return ::waitpid(grandchild, &status, 0) == grandchild && status == 0 ? 0 : 3;
  })));
  shmem_free(block);
}

/// What its parent stores after the fork, and what a peer puts into the parent.
void testSeesLaterWrites() {
  long* const block = filledBlock();
  const Baton to_child;
  const pid_t pid = forkChild([&] {
    to_child.await();
    return block[0] == -1 && block[kLongs - 1] == -2 ? 0 : 1;
  });
  block[0] = -1;
  shmem_long_p(&block[kLongs - 1], -2, next());
  shmem_barrier_all();
  to_child.give();
  checkEndsWell(statusOf(pid));
  shmem_free(block);
}

/// In a child. A sanitizer would catch the signal, and exit.
int write(long* place) {
  leaveNoCore();
  ::signal(SIGSEGV, SIG_DFL);
  *const_cast<volatile long*>(place) = 5;
  return 0;
}

bool hasDied(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV; }

/// It ends where it writes, and so does its child.
void testCannotWrite() {
  long* const block = filledBlock();
  const std::vector<long*> places = placesOf(block);
  for (long* const place : places) {
    CHECK(hasDied(statusOf(forkChild([&] { return write(place); }))));
    CHECK(hasDied(statusOf(forkChild([&] { return write(place + kLongs - 1); }))));
  }
  checkEndsWell(statusOf(forkChild([&] {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) ::_exit(write(block));
    int status = 0;
    return ::waitpid(grandchild, &status, 0) == grandchild && hasDied(status) ? 0 : 1;
  })));
  shmem_barrier_all();
  CHECK(haveTheirs(places));
  shmem_barrier_all();
  shmem_free(block);
}

/// The lines of /proc/self/maps about the memory of the job.
std::vector<std::string> mappings() {
  std::vector<std::string> lines;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/memfd:ucxx") != std::string::npos) lines.push_back(line);
  }
  return lines;
}

/// Neither the heaps nor what the library has beside them.
void testHasNothingToWrite() {
  const auto is_writable = [](const std::string& line) {
    return line.find(" rw") != std::string::npos;
  };
  const std::vector<std::string> of_parent = mappings();
  CHECK(std::all_of(of_parent.begin(), of_parent.end(), is_writable));
  CHECK(!of_parent.empty());
  checkEndsWell(statusOf(forkChild([&] {
    const std::vector<std::string> own = mappings();
    if (own.size() != 1) return 1;
    return is_writable(own.front()) ? 2 : 0;
  })));
}

/// Also behind pages that somebody else keeps from children, as libraries of network cards do.
void testCannotWriteBehindHole() {
  long* const block = filledBlock();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const hole =
      reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(block) / page + 1) * page);
  CHECK_EQ(::madvise(hole, page, MADV_DONTFORK), 0);
  CHECK(hasDied(statusOf(forkChild([&] { return write(block + kLongs - 1); }))));
  CHECK_EQ(::madvise(hole, page, MADV_DOFORK), 0);
  shmem_free(block);
}

/// Its handlers of exit run, and do no harm.
void testExitsWell() {
  long* const block = filledBlock();
  checkEndsWell(statusOf(forkChild([&]() -> int {
    std::exit(block[7] == *block ? 0 : 1);  // NOLINT(concurrency-mt-unsafe)
  })));
  shmem_barrier_all();
  shmem_free(block);
}

/// Children of several threads at once, while a peer writes.
void testOfThreads() {
  constexpr int kThreads = 3, kChildren = 10;
  long* const block = filledBlock();
  const long own = valueOf(shmem_my_pe());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int child = 0; child < kChildren; ++child)
        checkEndsWell(statusOf(forkChild([&] { return has(block, own, 1) ? 0 : 1; })));
    });
  }
  for (int write = 0; write < 1000; ++write) shmem_long_atomic_inc(block, next());
  for (std::thread& thread : threads) thread.join();
  shmem_barrier_all();
  CHECK_EQ(*block, own + 1000);
  shmem_barrier_all();
  shmem_free(block);
}

/// What is freed meanwhile is zeros for a child that looks then. The PE goes on as if nobody did.
void testOutlivesInitialisation() {
  long* const block = filledBlock();
  const Baton to_child;
  const pid_t pid = forkChild([&] {
    to_child.await();
    return has(block, 0) ? 0 : 1;
  });
  shmem_finalize();
  to_child.give();
  int status = 1;
  const bool is_child = ::waitpid(pid, &status, 0) == pid;
  shmem_init();
  CHECK(is_child);
  checkEndsWell(status);
  long* const again = filledBlock();
  CHECK(haveTheirs(placesOf(again)));
  shmem_barrier_all();
  shmem_free(again);
}

}  // namespace

int main() {
  int level = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  testReadsAllPes();
  testSeesLaterWrites();
  testCannotWrite();
  testHasNothingToWrite();
  testCannotWriteBehindHole();
  testExitsWell();
  testOfThreads();
  testOutlivesInitialisation();
  shmem_finalize();
}
