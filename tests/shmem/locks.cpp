// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Locks: one holder at a time, first come first served, test_lock, what clear_lock completes.
#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "shmem/check.h"
#include "shmem/sleeps.h"

namespace {

using ucxx::test::awaitSleep;
using ucxx::test::sleeps;

/// A lock and what it protects: the copy of the last PE, which is changed without atomics.
struct Protected {
  long lock = 0;
  long count = 0;
  long holder = -1;
};

int lastPe() { return shmem_n_pes() - 1; }

/// What only the holder may do.
void changeAsHolder(Protected& object) {
  const int me = shmem_my_pe(), home = lastPe();
  CHECK_EQ(shmem_long_g(&object.holder, home), -1);
  shmem_long_p(&object.holder, me, home);
  const long count = shmem_long_g(&object.count, home);
  shmem_long_p(&object.count, count + 1, home);
  shmem_quiet();
  CHECK_EQ(shmem_long_g(&object.holder, home), me);
  shmem_long_p(&object.holder, -1, home);
}

void takeAndChange(Protected& object) {
  shmem_set_lock(&object.lock);
  changeAsHolder(object);
  shmem_clear_lock(&object.lock);
}

void tryAndChange(Protected& object) {
  while (shmem_test_lock(&object.lock) != 0) std::this_thread::yield();
  changeAsHolder(object);
  shmem_clear_lock(&object.lock);
}

/// Statics, and the same in the heap.
constexpr std::size_t kLocks = 80;
std::array<Protected, kLocks> static_objects;

class Objects {
 public:
  Objects() : heap_(static_cast<Protected*>(shmem_malloc(kLocks * sizeof(Protected)))) { clear(); }
  ~Objects() { shmem_free(heap_); }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  std::array<Protected*, 2> all() const { return {heap_, static_objects.data()}; }
  /// Collective; locks are free and 0, as before their first use.
  void clear() const {
    shmem_barrier_all();
    std::fill_n(heap_, kLocks, Protected{});
    static_objects.fill({});
    shmem_barrier_all();
  }

 private:
  Protected* heap_;
};

void checkCount(const Protected& object, long expected) {
  CHECK_EQ(shmem_long_g(&object.count, lastPe()), expected);
  CHECK_EQ(shmem_long_g(&object.holder, lastPe()), -1);
}

/// A PE's part of so many rounds of all.
int partOf(int rounds) { return rounds / shmem_n_pes(); }

/// All PEs, by waiting, by trying, and by both at once.
void testExclusion(const Objects& objects) {
  const int rounds = partOf(60'000);
  for (Protected* const object : objects.all()) {
    for (int round = 0; round < rounds; ++round) takeAndChange(object[0]);
    shmem_barrier_all();
    for (int round = 0; round < rounds; ++round) tryAndChange(object[1]);
    shmem_barrier_all();
    for (int round = 0; round < rounds; ++round)
      (round + shmem_my_pe()) % 3 == 0 ? tryAndChange(object[2]) : takeAndChange(object[2]);
    shmem_barrier_all();
    for (int i = 0; i < 3; ++i) checkCount(object[i], long{rounds} * shmem_n_pes());
  }
  objects.clear();
}

/// Each PE takes any of many locks, and a second one of a higher number.
void testManyLocks(const Objects& objects) {
  const int rounds = partOf(60'000);
  std::minstd_rand random(static_cast<unsigned>(shmem_my_pe()) + 1);
  for (Protected* const object : objects.all()) {
    for (int round = 0; round < rounds; ++round) {
      const std::size_t first = random() % (kLocks - 1);
      const std::size_t second = first + 1 + random() % (kLocks - 1 - first);
      shmem_set_lock(&object[first].lock);
      takeAndChange(object[second]);
      changeAsHolder(object[first]);
      shmem_clear_lock(&object[first].lock);
    }
    shmem_barrier_all();
    long sum = 0;
    for (std::size_t i = 0; i < kLocks; ++i) sum += shmem_long_g(&object[i].count, lastPe());
    CHECK_EQ(sum, 2L * rounds * shmem_n_pes());
  }
  objects.clear();
}

/// One PE holds all locks of both kinds at once.
void testAllAtOnce(const Objects& objects) {
  for (int holder = 0; holder < shmem_n_pes(); ++holder) {
    const bool is_holder = shmem_my_pe() == holder;
    for (Protected* const object : objects.all()) {
      for (std::size_t i = 0; is_holder && i < kLocks; ++i)
        i % 2 == 0 ? shmem_set_lock(&object[i].lock)
                   : CHECK_EQ(shmem_test_lock(&object[i].lock), 0);
    }
    shmem_barrier_all();
    for (Protected* const object : objects.all()) {
      for (std::size_t i = 0; i < kLocks && !is_holder; ++i)
        CHECK_EQ(shmem_test_lock(&object[i].lock), 1);
    }
    shmem_barrier_all();
    for (Protected* const object : objects.all()) {
      for (std::size_t i = 0; is_holder && i < kLocks; ++i) shmem_clear_lock(&object[i].lock);
    }
    shmem_barrier_all();  // the next holder tries them
  }
  objects.clear();
}

/// test_lock comes back while others hold the lock or wait for it, and leaves the queue as it is.
void testTryingBesideAQueue(const Objects& objects) {
  static long done;
  if (shmem_n_pes() < 3) return;
  for (Protected* const object : objects.all()) {
    done = 0;
    if (shmem_my_pe() == 0) shmem_set_lock(&object->lock);
    shmem_barrier_all();
    const bool tries = shmem_my_pe() == lastPe();
    for (int i = 0; tries && i < 10'000; ++i) CHECK_EQ(shmem_test_lock(&object->lock), 1);
    if (tries) shmem_long_p(&done, 1, 0);
    if (shmem_my_pe() == 0) {
      shmem_long_wait_until(&done, SHMEM_CMP_EQ, 1);
      changeAsHolder(*object);
      shmem_clear_lock(&object->lock);
    } else {
      takeAndChange(*object);
    }
    shmem_barrier_all();
    checkCount(*object, shmem_n_pes());
  }
  objects.clear();
}

/// The order in which PEs come to a lock, and the one in which they get it. They come one by one:
/// the next one is called when the one before sleeps in its queue.
struct Order {
  long called = 0;         ///< this PE may come
  long sleeps_before = 0;  ///< when it came
  long came = 0;
  long next_place = 0;  ///< on the holder: how many have got it
};
Order order;

void comeAndTakePlace(Protected& object, int holder, long expected_place) {
  shmem_long_wait_until(&order.called, SHMEM_CMP_EQ, 1);
  order.sleeps_before = sleeps.load();
  __atomic_store_n(&order.came, 1, __ATOMIC_RELEASE);
  shmem_set_lock(&object.lock);
  CHECK_EQ(shmem_long_atomic_fetch_inc(&order.next_place, holder), expected_place);
  shmem_clear_lock(&object.lock);
}

void callOneByOne(Protected& object, const std::vector<int>& pes) {
  shmem_set_lock(&object.lock);
  shmem_sync_all();
  for (const int pe : pes) {
    shmem_long_p(&order.called, 1, pe);
    while (shmem_long_g(&order.came, pe) == 0) std::this_thread::yield();
    awaitSleep(pe, shmem_long_g(&order.sleeps_before, pe));
  }
  shmem_clear_lock(&object.lock);
}

void checkOrder(Protected& object, int holder, const std::vector<int>& pes) {
  order = {};
  shmem_barrier_all();
  if (shmem_my_pe() == holder) {
    callOneByOne(object, pes);
  } else {
    shmem_sync_all();
    const auto place = std::find(pes.begin(), pes.end(), shmem_my_pe()) - pes.begin();
    comeAndTakePlace(object, holder, place);
  }
  shmem_barrier_all();
}

void testFirstComeFirstServed(const Objects& objects) {
  std::mt19937 random(17);  // the same numbers on all PEs
  for (int holder = 0; holder < shmem_n_pes(); ++holder) {
    std::vector<int> pes(static_cast<std::size_t>(shmem_n_pes()));
    std::iota(pes.begin(), pes.end(), 0);
    std::erase(pes, holder);
    for (int round = 0; round < 4; ++round) {
      if (round > 0) std::shuffle(pes.begin(), pes.end(), random);
      for (Protected* const object : objects.all()) checkOrder(object[round], holder, pes);
    }
  }
  objects.clear();
}

constexpr std::size_t kWords = 512;

/// Behind clear_lock a put of the holder is complete, on whatever PE: the next holder sees it
/// there.
void testClearCompletes(const Objects& objects) {
  static std::array<long, kWords> data;
  static std::array<long, kWords> source;
  const int home = shmem_n_pes() / 2, rounds = partOf(5000);
  for (Protected* const object : objects.all()) {
    data.fill(0);
    shmem_barrier_all();
    for (int round = 0; round < rounds; ++round) {
      std::array<long, kWords> seen;
      shmem_set_lock(&object->lock);
      shmem_long_get(seen.data(), data.data(), kWords, home);
      CHECK(std::all_of(seen.begin(), seen.end(), [&](long word) { return word == seen[0]; }));
      source.fill(seen[0] + 1);
      shmem_long_put_nbi(data.data(), source.data(), kWords, home);
      shmem_clear_lock(&object->lock);
    }
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&data[7], home), static_cast<long>(rounds) * shmem_n_pes());
    shmem_barrier_all();
  }
  objects.clear();
}

/// Threads of one PE hold different locks; for each lock the threads of different PEs compete.
void testThreads(const Objects& objects) {
  constexpr std::size_t kThreads = 3;
  const int rounds = partOf(40'000);
  for (Protected* const object : objects.all()) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([=] {
        for (int round = 0; round < rounds; ++round)
          round % 4 == 0 ? tryAndChange(object[i]) : takeAndChange(object[i]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    shmem_barrier_all();
    for (std::size_t i = 0; i < kThreads; ++i) checkCount(object[i], long{rounds} * shmem_n_pes());
  }
  objects.clear();
}

/// Threads of all PEs compete for one lock, also those of one PE.
void testThreadsAtOneLock(const Objects& objects) {
  constexpr int kThreads = 4;
  const int rounds = partOf(20'000);
  for (Protected* const object : objects.all()) {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([=] {
        for (int round = 0; round < rounds; ++round)
          (round + thread) % 4 == 0 ? tryAndChange(*object) : takeAndChange(*object);
      });
    }
    for (std::thread& thread : threads) thread.join();
    shmem_barrier_all();
    checkCount(*object, static_cast<long>(kThreads) * rounds * shmem_n_pes());
    CHECK_EQ(object->lock, 0);
  }
  objects.clear();
}

/// A thread takes it, and another one releases it: a lock is the PE's.
void testReleaseByAnotherThread(const Objects& objects) {
  for (Protected* const object : objects.all()) {
    for (int round = 0; round < 100; ++round) {
      shmem_set_lock(&object->lock);
      std::thread([=] {
        CHECK_EQ(shmem_test_lock(&object->lock), 1);
        changeAsHolder(*object);
        shmem_clear_lock(&object->lock);
      }).join();
    }
    shmem_barrier_all();
    checkCount(*object, 100L * shmem_n_pes());
  }
  objects.clear();
}

}  // namespace

int main() {
  int level = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  CHECK_EQ(level, SHMEM_THREAD_MULTIPLE);
  ucxx::test::sleeps_forever = true;
  {
    const Objects objects;
    testExclusion(objects);
    testManyLocks(objects);
    testAllAtOnce(objects);
    testTryingBesideAQueue(objects);
    testFirstComeFirstServed(objects);
    testClearCompletes(objects);
    testThreads(objects);
    testThreadsAtOneLock(objects);
    testReleaseByAnotherThread(objects);
  }
  shmem_finalize();
}
