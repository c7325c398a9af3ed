// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Names beyond OpenSHMEM 1.6 that programs of its earlier versions, or for other libraries, call:
// more types of the old atomic operations, of bitwise ones and (waits.cpp) of waits; caches.
#include <cstdint>
#include <cstring>
#include <limits>

#include "shmem/check.h"
#include "shmem/old_atomics.h"
#include "shmem/types.h"

namespace {

using ucxx::test::nextPe;
using ucxx::test::testExtended;
using ucxx::test::testStandard;
using ucxx::test::testSums;

void testOldAtomics() {
#define TEST(name, T)                        \
  testExtended<T>(OLD_EXTENDED_CALLS(name)); \
  testStandard<T>(OLD_STANDARD_CALLS(name)); \
  testSums<T>(OLD_STANDARD_CALLS(name));
  FOR_MORE_OLD_AMO_TYPES(TEST)
#undef TEST
  testExtended<long double>(OLD_EXTENDED_CALLS(longdouble));
}

/// A short wraps, and the other half of the word stays.
void testShortsWrap() {
  static short shorts[4] = {1, std::numeric_limits<short>::max(), 1, -1};
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    CHECK_EQ(shmem_short_finc(&shorts[1], 0), std::numeric_limits<short>::max());
    CHECK_EQ(shmem_short_fadd(&shorts[3], short{1}, 0), -1);
    const short expected[] = {1, std::numeric_limits<short>::min(), 1, 0};
    CHECK(std::memcmp(shorts, expected, sizeof shorts) == 0);
  }
}

/// The untyped function takes long. In C++ it is one of the overloads.
void testSwap() {
  static long word;
  long (*const swap)(long*, long, int) = shmem_swap;
  word = 1;
  shmem_barrier_all();
  CHECK_EQ(swap(&word, 2, nextPe()), 1);
  CHECK_EQ(shmem_swap(&word, 3L, nextPe()), 2);
  shmem_barrier_all();
  CHECK_EQ(word, 3);
}

// A long double is longer than what the processor stores at once ------------------------------

/// Values in which all bits of the mantissa change: one of two halves would be another value.
long double valueOf(long number) {
  const long double power = static_cast<long double>(std::uint64_t{1} << 62);
  return number % 2 == 0 ? power + 1 : (2 * power - 1) * power * power;
}

bool isValue(long double value) { return value == valueOf(0) || value == valueOf(1); }

/// All swap and set at once; nobody ever sees a torn value.
void testLongDoublesWhole() {
  static long double value;
  value = valueOf(0);
  shmem_barrier_all();
  for (long time = 0; time < 100'000; ++time) {
    CHECK(isValue(shmem_longdouble_swap(&value, valueOf(time), 0)));
    CHECK(isValue(shmem_longdouble_fetch(&value, 0)));
    shmem_longdouble_set(&value, valueOf(time + 1), 0);
  }
  shmem_barrier_all();
}

/// What is swapped in comes out once: each PE carries one number away for each that it brings.
void testLongDoublesKept() {
  constexpr long kTimes = 50'000;
  static long double value;
  static long sums[2];
  static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 2], psync[SHMEM_REDUCE_SYNC_SIZE];
  value = 0;
  sums[0] = 0;
  shmem_barrier_all();
  for (long time = 1; time <= kTimes; ++time) {
    const long brought = time * shmem_n_pes() + shmem_my_pe();
    sums[0] += brought - static_cast<long>(
                             shmem_longdouble_swap(&value, static_cast<long double>(brought), 0));
  }
  shmem_long_sum_to_all(&sums[1], &sums[0], 1, 0, 0, shmem_n_pes(), work, psync);
  shmem_barrier_all();
  CHECK_EQ(sums[1], static_cast<long>(shmem_longdouble_fetch(&value, 0)));
  shmem_barrier_all();
}

// Bitwise operations by the names of the basic signed types -----------------------------------

template <class T>
struct Bitwise {
  T (*fetch)(T*, T, int);
  void (*plain)(T*, T, int);
  T (*ctx_fetch)(shmem_ctx_t, T*, T, int);
  void (*ctx_plain)(shmem_ctx_t, T*, T, int);
  T (*expected)(T, T);
};

template <class T>
void testBitwise(const Bitwise<T>& calls) {
  static T words[3];
  constexpr T kHigh = std::numeric_limits<T>::min();
  T value = words[0] = words[1] = words[2] = kHigh + 0x35;
  shmem_barrier_all();
  const auto next = [&](T mask) { return value = calls.expected(value, mask); };
  CHECK_EQ(calls.fetch(&words[1], 0x1f, nextPe()), value);
  next(0x1f);
  CHECK_EQ(calls.ctx_fetch(SHMEM_CTX_DEFAULT, &words[1], kHigh + 0x13, nextPe()), value);
  next(kHigh + 0x13);
  calls.plain(&words[1], -2, nextPe());
  next(-2);
  calls.ctx_plain(SHMEM_CTX_DEFAULT, &words[1], 0x1e, nextPe());
  shmem_barrier_all();
  CHECK_EQ(words[0], static_cast<T>(kHigh + 0x35));
  CHECK_EQ(words[1], next(0x1e));
  CHECK_EQ(words[2], static_cast<T>(kHigh + 0x35));
  shmem_barrier_all();
}

#define OPERATION(name, T, operation, op)                                                     \
  testBitwise<T>({shmem_##name##_atomic_fetch_##operation, shmem_##name##_atomic_##operation, \
                  shmem_ctx_##name##_atomic_fetch_##operation,                                \
                  shmem_ctx_##name##_atomic_##operation, [](T a, T b) { return a op b; }});
#define TEST(name, T)        \
  OPERATION(name, T, and, &) \
  OPERATION(name, T, or, |)  \
  OPERATION(name, T, xor, ^)
void testBits() {
  TEST(int, int)
  TEST(long, long)
  TEST(longlong, long long)
  static long long word = 5;
  shmem_atomic_or(&word, 2LL, shmem_my_pe());
  CHECK_EQ(shmem_atomic_fetch_and(SHMEM_CTX_DEFAULT, &word, 6LL, shmem_my_pe()), 7);
  CHECK_EQ(word, 6);
}
#undef TEST
#undef OPERATION

/// They may be called at any place, and change nothing.
void testCaches() {
  static int line[16] = {1, 2, 3};
  shmem_set_cache_inv();
  shmem_set_cache_line_inv(line);
  shmem_udcflush();
  shmem_udcflush_line(line);
  shmem_clear_cache_line_inv(line);
  shmem_clear_cache_inv();
  CHECK_EQ(line[0] + line[1] + line[2] + line[3], 6);
}

/// Overloads take what waits took until version 1.3.
void testVolatileWaits() {
  static volatile long word;
  static volatile short half;
  word = 0;
  half = 0;
  shmem_barrier_all();
  shmem_long_p(const_cast<long*>(&word), 1, nextPe());
  shmem_wait(&word, 0);
  shmem_long_wait(&word, 0);
  shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  shmem_wait_until(&word, SHMEM_CMP_EQ, 1L);
  shmem_short_p(const_cast<short*>(&half), short{2}, nextPe());
  shmem_short_wait(&half, short{0});
  shmem_wait_until(&half, SHMEM_CMP_EQ, short{2});
}

}  // namespace

int main() {
  shmem_init();
  testOldAtomics();
  testShortsWrap();
  testSwap();
  testLongDoublesWhole();
  testLongDoublesKept();
  testBits();
  testCaches();
  testVolatileWaits();
  shmem_finalize();
}
