// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Collectives of active sets (deprecated since OpenSHMEM 1.5, and required): each function.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shmem/active_set.h"
#include "shmem/check.h"
#include "shmem/types.h"

namespace {

using ucxx::test::ActiveSet;
using ucxx::test::PSync;
using ucxx::test::someSets;

PSync<SHMEM_BARRIER_SYNC_SIZE> barrier_psync;
PSync<SHMEM_SYNC_SIZE> sync_psync;
PSync<SHMEM_BCAST_SYNC_SIZE> broadcast_psync;
PSync<SHMEM_COLLECT_SYNC_SIZE> collect_psync, fcollect_psync;
PSync<SHMEM_ALLTOALL_SYNC_SIZE> alltoall_psync;
PSync<SHMEM_ALLTOALLS_SYNC_SIZE> alltoalls_psync;
PSync<SHMEM_REDUCE_SYNC_SIZE> reduce_psync;

constexpr std::size_t kArenaBytes = std::size_t{1} << 21;
std::byte *dest_arena = nullptr, *source_arena = nullptr;

/// The functions of one width.
template <class T>
struct Calls {
  void (*broadcast)(void*, const void*, std::size_t, int, int, int, int, long*);
  void (*collect)(void*, const void*, std::size_t, int, int, int, long*);
  void (*fcollect)(void*, const void*, std::size_t, int, int, int, long*);
  void (*alltoall)(void*, const void*, std::size_t, int, int, int, long*);
  void (*alltoalls)(void*, const void*, std::ptrdiff_t, std::ptrdiff_t, std::size_t, int, int, int,
                    long*);
};

template <class T>
T* dest() {
  return reinterpret_cast<T*>(dest_arena) + 8;
}
template <class T>
T* source() {
  return reinterpret_cast<T*>(source_arena);
}

template <class T>
constexpr T kUntouched = static_cast<T>(0xABABABABABABABABULL);

template <class T>
T valueOf(int member, std::size_t at) {
  return static_cast<T>(member * 100'000 + static_cast<int>(at));
}

/// All members do this before one goes on.
template <class T>
void prepare(const ActiveSet& set, std::size_t sources, std::size_t dests) {
  for (std::size_t at = 0; at < sources; ++at) source<T>()[at] = valueOf<T>(set.me(), at);
  std::fill_n(dest<T>() - 8, dests + 16, kUntouched<T>);
  shmem_sync(set.start, set.log_stride, set.size, sync_psync.get());
}

template <class T>
void checkDest(const std::vector<T>& expected) {
  for (std::size_t at = 0; at < expected.size(); ++at) CHECK_EQ(dest<T>()[at], expected[at]);
  for (std::size_t at = 0; at < 8; ++at) {
    CHECK_EQ(dest<T>()[expected.size() + at], kUntouched<T>);
    CHECK_EQ(*(dest<T>() - 1 - at), kUntouched<T>);
  }
}

/// The root's own dest stays as it is.
template <class T>
void testBroadcast(const Calls<T>& calls, const ActiveSet& set, std::size_t count) {
  for (int root = 0; root < set.size; ++root) {
    prepare<T>(set, count, count);
    calls.broadcast(dest<T>(), source<T>(), count, root, set.start, set.log_stride, set.size,
                    broadcast_psync.get());
    broadcast_psync.check();
    std::vector<T> expected(count, kUntouched<T>);
    for (std::size_t at = 0; at < count && root != set.me(); ++at)
      expected[at] = valueOf<T>(root, at);
    checkDest(expected);
  }
}

template <class T>
void testFcollect(const Calls<T>& calls, const ActiveSet& set, std::size_t count) {
  prepare<T>(set, count, count * static_cast<std::size_t>(set.size));
  calls.fcollect(dest<T>(), source<T>(), count, set.start, set.log_stride, set.size,
                 fcollect_psync.get());
  fcollect_psync.check();
  std::vector<T> expected;
  for (int member = 0; member < set.size; ++member) {
    for (std::size_t at = 0; at < count; ++at) expected.push_back(valueOf<T>(member, at));
  }
  checkDest(expected);
}

/// Member i has i % 3 times as many.
template <class T>
void testCollect(const Calls<T>& calls, const ActiveSet& set, std::size_t count) {
  const auto count_of = [&](int member) { return static_cast<std::size_t>(member % 3) * count; };
  prepare<T>(set, count_of(set.me()), 2 * count * static_cast<std::size_t>(set.size));
  calls.collect(dest<T>(), source<T>(), count_of(set.me()), set.start, set.log_stride, set.size,
                collect_psync.get());
  collect_psync.check();
  std::vector<T> expected;
  for (int member = 0; member < set.size; ++member) {
    for (std::size_t at = 0; at < count_of(member); ++at)
      expected.push_back(valueOf<T>(member, at));
  }
  checkDest(expected);
}

template <class T>
std::vector<T> exchanged(const ActiveSet& set, std::size_t count, std::size_t to,
                         std::size_t from) {
  const std::size_t total = count * static_cast<std::size_t>(set.size);
  std::vector<T> expected(total * to, kUntouched<T>);
  for (std::size_t element = 0; element < total; ++element) {
    const std::size_t at = (static_cast<std::size_t>(set.me()) * count + element % count) * from;
    expected[element * to] = valueOf<T>(static_cast<int>(element / count), at);
  }
  return expected;
}

template <class T>
void testAlltoall(const Calls<T>& calls, const ActiveSet& set, std::size_t count) {
  const std::size_t total = count * static_cast<std::size_t>(set.size);
  prepare<T>(set, total, total);
  calls.alltoall(dest<T>(), source<T>(), count, set.start, set.log_stride, set.size,
                 alltoall_psync.get());
  alltoall_psync.check();
  checkDest(exchanged<T>(set, count, 1, 1));
}

template <class T>
void testAlltoalls(const Calls<T>& calls, const ActiveSet& set, std::size_t count) {
  const std::size_t total = count * static_cast<std::size_t>(set.size);
  prepare<T>(set, total * 2, total * 3);
  calls.alltoalls(dest<T>(), source<T>(), 3, 2, count, set.start, set.log_stride, set.size,
                  alltoalls_psync.get());
  alltoalls_psync.check();
  checkDest(exchanged<T>(set, count, 3, 2));
}

template <class T>
void testCalls(const Calls<T>& calls, const ActiveSet& set) {
  for (const std::size_t count : {0, 1, 7, 3000}) {
    testBroadcast(calls, set, count);
    testFcollect(calls, set, count);
    testCollect(calls, set, count);
    testAlltoall(calls, set, count);
    testAlltoalls(calls, set, count);
  }
}

/// Puts of before are complete behind a barrier.
void testBarrier(const ActiveSet& set) {
  static long words[256];
  for (long round = 1; round <= 100; ++round) {
    for (int member = 0; member < set.size; ++member)
      shmem_long_p(&words[set.me()], round * 10 + set.me(), set.peOf(member));
    shmem_barrier(set.start, set.log_stride, set.size, barrier_psync.get());
    for (int member = 0; member < set.size; ++member) CHECK_EQ(words[member], round * 10 + member);
    shmem_sync(set.start, set.log_stride, set.size, sync_psync.get());
  }
}

void testSet(const ActiveSet& set) {
  testBarrier(set);
  testCalls(Calls<std::uint32_t>{shmem_broadcast32, shmem_collect32, shmem_fcollect32,
                                 shmem_alltoall32, shmem_alltoalls32},
            set);
  testCalls(Calls<std::uint64_t>{shmem_broadcast64, shmem_collect64, shmem_fcollect64,
                                 shmem_alltoall64, shmem_alltoalls64},
            set);
}

// Reductions -------------------------------------------------------------------------------------

template <class T>
struct Reduction {
  void (*call)(T*, const T*, int, int, int, int, T*, long*);
  T (*combine)(T, T);
};

/// One of those numbers with which products are exact.
template <class T>
T factor(int member, std::size_t at) {
  return static_cast<T>(1 + (static_cast<std::size_t>(member) + at) % 2);
}

template <class T>
void testReduction(const Reduction<T>& reduction, const ActiveSet& set, int count, bool in_place) {
  static T work[20'000 / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  const auto length = static_cast<std::size_t>(count);
  prepare<T>(set, 0, length);
  T* const from = in_place ? dest<T>() : source<T>();
  for (std::size_t at = 0; at < length; ++at) from[at] = factor<T>(set.me(), at);
  shmem_sync(set.start, set.log_stride, set.size, sync_psync.get());
  reduction.call(dest<T>(), from, count, set.start, set.log_stride, set.size, work,
                 reduce_psync.get());
  reduce_psync.check();
  std::vector<T> expected;
  for (std::size_t at = 0; at < length; ++at) {
    expected.push_back(factor<T>(0, at));
    for (int member = 1; member < set.size; ++member)
      expected.back() = reduction.combine(expected.back(), factor<T>(member, at));
  }
  checkDest(expected);
}

template <class T>
void testSizes(const Reduction<T>& reduction) {
  for (const ActiveSet& set : someSets()) {
    for (const int count : {0, 1, 7, 1000}) {
      if (set.has()) testReduction(reduction, set, count, count % 2 == 0);
    }
    shmem_sync_all();
  }
}

void testReductions() {
#define TEST(name, T)                                                                        \
  testSizes<T>({shmem_##name##_and_to_all, [](T a, T b) { return static_cast<T>(a & b); }}); \
  testSizes<T>({shmem_##name##_or_to_all, [](T a, T b) { return static_cast<T>(a | b); }});  \
  testSizes<T>({shmem_##name##_xor_to_all, [](T a, T b) { return static_cast<T>(a ^ b); }});
  FOR_OLD_BITWISE_TYPES(TEST)
#undef TEST
#define TEST(name, T)                                                                 \
  testSizes<T>({shmem_##name##_max_to_all, [](T a, T b) { return std::max(a, b); }}); \
  testSizes<T>({shmem_##name##_min_to_all, [](T a, T b) { return std::min(a, b); }});
  FOR_OLD_ORDERED_TYPES(TEST)
#undef TEST
#define TEST(name, T)                                                                        \
  testSizes<T>({shmem_##name##_sum_to_all, [](T a, T b) { return static_cast<T>(a + b); }}); \
  testSizes<T>({shmem_##name##_prod_to_all, [](T a, T b) { return static_cast<T>(a * b); }});
  FOR_OLD_ARITHMETIC_TYPES(TEST)
#undef TEST
  testReduction<long>({shmem_long_sum_to_all, [](long a, long b) { return a + b; }},
                      {0, 0, shmem_n_pes()}, 20'000, true);
}

}  // namespace

int main() {
  shmem_init();
  dest_arena = static_cast<std::byte*>(shmem_malloc(kArenaBytes));
  source_arena = static_cast<std::byte*>(shmem_malloc(kArenaBytes));
  for (const ActiveSet& set : someSets()) {
    if (set.has()) testSet(set);
    shmem_sync_all();
    barrier_psync.check();
    sync_psync.check();
    shmem_sync_all();
  }
  testReductions();
  shmem_finalize();
}
