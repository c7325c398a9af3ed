// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A writer that is stopped between its store and its look at who sleeps, or between that look and
// the wake-up; and a waiter that is stopped when it has said that it sleeps: in each order in which
// they go on, the waiter wakes. It sleeps until somebody wakes it. Run by 3 PEs or more with the
// library that has hooks; PE 2 sees to the order, and others only take part in barriers.
//
//     wakeups_stopped [refuse]
//
// refuse: the kernel has no membarrier.
#include <csignal>
#include <cstdio>
#include <string_view>
#include <thread>

#include <unistd.h>

#include "shmem/check.h"
#include "shmem/hooks/stop.h"
#include "shmem/sleeps.h"

namespace {

using ucxx::base::Phase;
using ucxx::test::awaitSleep;
using ucxx::test::sleeps;

constexpr int kWaiter = 0, kWriter = 1, kDirector = 2;

/// What the waiter is at when the writer stores.
enum class Waiter { NotBegun, Said, Asleep };
/// Who goes on first, where both have stopped.
enum class First { Waiter, Writer };

struct Order {
  Phase writer_stops;
  Waiter waiter;
  First first;
};
constexpr Order kOrders[] = {
    {Phase::PeStored, Waiter::NotBegun, First::Waiter},
    {Phase::PeStored, Waiter::Said, First::Waiter},
    {Phase::PeStored, Waiter::Said, First::Writer},
    {Phase::PeStored, Waiter::Asleep, First::Writer},
    {Phase::PeRinging, Waiter::Said, First::Waiter},
    {Phase::PeRinging, Waiter::Said, First::Writer},
    {Phase::PeRinging, Waiter::Asleep, First::Writer},
};

long word, lock;
std::uint64_t signal_word;
shmem_team_t pair = SHMEM_TEAM_INVALID;

/// How the writer lets the waiter go on.
struct Way {
  void (*wait)();
  void (*write)();
  bool is_seen_before = true;  ///< the writer stores also if nobody waits yet
};

void waitForWord() { shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1); }
void awaitSignal() { CHECK_EQ(shmem_signal_wait_until(&signal_word, SHMEM_CMP_NE, 0), 1U); }
void putOne() {
  const long one = 1;
  shmem_long_put(&word, &one, 1, kWaiter);
}
void putSignal() {
  shmem_putmem_signal(&word, nullptr, 0, &signal_word, 1, SHMEM_SIGNAL_SET, kWaiter);
}
void syncPair() { CHECK_EQ(shmem_team_sync(pair), 0); }
void waitForLock() {
  shmem_set_lock(&lock);
  shmem_clear_lock(&lock);
}

const Way kWays[] = {
    {waitForWord, [] { shmem_long_p(&word, 1, kWaiter); }},
    {waitForWord, [] { shmem_long_atomic_set(&word, 1, kWaiter); }},
    {waitForWord, [] { shmem_long_atomic_inc(&word, kWaiter); }},
    {waitForWord, putOne},
    {awaitSignal, putSignal},
    {syncPair, syncPair, false},
    {waitForLock, [] { shmem_clear_lock(&lock); }, false},
};

/// What a PE has come to; the director reads it. Symmetric.
struct Progress {
  long pid = 0;
  long goes_on = 0;  ///< written by the director, while the PE does not sleep
  long begins = 0, sleeps_before = 0;
  long done = 0;
};
Progress progress;

void say(long& what, long value) { __atomic_store_n(&what, value, __ATOMIC_RELEASE); }
void awaitWord(const long& what, int pe, long value) {
  while (shmem_long_g(&what, pe) != value) std::this_thread::yield();
}
void awaitOwn(const long& what, long value) {
  while (__atomic_load_n(&what, __ATOMIC_ACQUIRE) != value) std::this_thread::yield();
}

/// Of the process, which has one thread.
char stateOf(pid_t pid) {
  char path[32], state = '?';
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  std::FILE* const file = std::fopen(path, "r");
  CHECK(file != nullptr);
  CHECK_EQ(std::fscanf(file, "%*d (%*[^)]) %c", &state), 1);
  std::fclose(file);
  return state;
}

pid_t pidOf(int pe) { return static_cast<pid_t>(shmem_long_g(&progress.pid, pe)); }
void awaitStop(int pe) {
  while (stateOf(pidOf(pe)) != 'T') std::this_thread::yield();
}
void goOn(int pe) { CHECK_EQ(::kill(pidOf(pe), SIGCONT), 0); }
void awaitDone(int pe) { awaitWord(progress.done, pe, 1); }

void beWaiter(const Way& way, const Order& order) {
  if (order.waiter == Waiter::NotBegun) awaitOwn(progress.goes_on, 1);
  if (order.waiter == Waiter::Said) stopAt(Phase::PeAsleepSaid);
  progress.sleeps_before = sleeps.load();
  say(progress.begins, 1);
  way.wait();
  say(progress.done, 1);
}

void beWriter(const Way& way, const Order& order) {
  awaitOwn(progress.goes_on, 1);
  stopAt(order.writer_stops);
  way.write();
  say(progress.done, 1);
}

void awaitWaiter(const Order& order) {
  if (order.waiter == Waiter::Said) awaitStop(kWaiter);
  if (order.waiter != Waiter::Asleep) return;
  awaitWord(progress.begins, kWaiter, 1);
  awaitSleep(kWaiter, shmem_long_g(&progress.sleeps_before, kWaiter));
}

void letWaiterEnd(const Order& order) {
  if (order.waiter == Waiter::NotBegun) shmem_long_p(&progress.goes_on, 1, kWaiter);
  if (order.waiter == Waiter::Said) goOn(kWaiter);
  awaitDone(kWaiter);
}

void letWriterEnd() {
  goOn(kWriter);
  awaitDone(kWriter);
}

void direct(const Order& order) {
  awaitWaiter(order);
  shmem_long_p(&progress.goes_on, 1, kWriter);
  awaitStop(kWriter);
  if (order.first == First::Waiter) {
    letWaiterEnd(order);  // by itself: the writer is stopped
    letWriterEnd();
  } else {
    letWriterEnd();
    letWaiterEnd(order);
  }
}

void prepare() {
  shmem_barrier_all();
  word = 0;
  signal_word = 0;
  progress = {};
  progress.pid = ::getpid();
  if (shmem_my_pe() == kWriter) shmem_set_lock(&lock);
  shmem_barrier_all();
}

void play(const Way& way, const Order& order) {
  prepare();
  if (shmem_my_pe() == kWaiter) beWaiter(way, order);
  if (shmem_my_pe() == kWriter) beWriter(way, order);
  if (shmem_my_pe() == kDirector) direct(order);
  shmem_barrier_all();
  if (shmem_my_pe() == kWriter && way.wait != waitForLock) shmem_clear_lock(&lock);
}

void testOrders() {
  for (const Way& way : kWays) {
    for (const Order& order : kOrders) {
      if (order.waiter != Waiter::NotBegun || way.is_seen_before) play(way, order);
    }
  }
}

/// A wake-up that comes when the waiter has gone, and sleeps for something else.
void testLateWakeUp() {
  prepare();
  if (shmem_my_pe() == kWaiter) {
    for (const long value : {1L, 2L}) {
      progress.sleeps_before = sleeps.load();
      say(progress.begins, value);
      shmem_long_wait_until(&word, SHMEM_CMP_GE, value);
    }
    CHECK_EQ(word, 2);
  }
  if (shmem_my_pe() == kWriter) beWriter(kWays[0], kOrders[6]);
  if (shmem_my_pe() == kDirector) {
    awaitWaiter(kOrders[6]);
    shmem_long_p(&progress.goes_on, 1, kWriter);
    awaitStop(kWriter);
    shmem_long_p(&word, 1, kWaiter);
    awaitWord(progress.begins, kWaiter, 2);
    awaitSleep(kWaiter, shmem_long_g(&progress.sleeps_before, kWaiter));
    letWriterEnd();
    shmem_long_p(&word, 2, kWaiter);
  }
  shmem_barrier_all();
  if (shmem_my_pe() == kWriter) shmem_clear_lock(&lock);
}

}  // namespace

int main(int argc, char** argv) {
  ucxx::test::refuses_membarrier = argc > 1 && std::string_view(argv[1]) == "refuse";
  shmem_init();
  CHECK(shmem_n_pes() >= 3);
  ucxx::test::sleeps_forever = true;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, nullptr, 0, &pair);
  for (int time = 0; time < 20; ++time) {
    testOrders();
    testLateWakeUp();
  }
  shmem_finalize();
}
