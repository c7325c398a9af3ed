// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/check.h"

// Atomic operations by the names of before OpenSHMEM 1.4, of one type each.

namespace ucxx::test {

inline int nextPe() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

template <class T>
struct Extended {
  T (*fetch)(const T*, int);
  void (*set)(T*, T, int);
  T (*swap)(T*, T, int);
};

template <class T>
struct Standard {
  T (*cswap)(T*, T, T, int);
  T (*finc)(T*, int);
  T (*fadd)(T*, T, int);
  void (*inc)(T*, int);
  void (*add)(T*, T, int);
};

/// A word of the next PE between two that stay as they are.
template <class T>
struct Word {
  T words[3] = {};

  void begin() {
    words[0] = words[1] = words[2] = 100;
    shmem_barrier_all();
  }
  void end(T expected) {
    shmem_barrier_all();
    CHECK_EQ(words[0], T{100});
    CHECK_EQ(words[1], expected);
    CHECK_EQ(words[2], T{100});
    shmem_barrier_all();
  }
};

template <class T>
Word<T> word_of;

template <class T>
inline void testExtended(const Extended<T>& calls) {
  T* const word = &word_of<T>.words[1];
  word_of<T>.begin();
  CHECK_EQ(calls.fetch(word, nextPe()), T{100});
  calls.set(word, T{3}, nextPe());
  CHECK_EQ(calls.swap(word, T{5}, nextPe()), T{3});
  CHECK_EQ(calls.fetch(word, nextPe()), T{5});
  word_of<T>.end(T{5});
}

template <class T>
inline void testStandard(const Standard<T>& calls) {
  T* const word = &word_of<T>.words[1];
  word_of<T>.begin();
  CHECK_EQ(calls.cswap(word, T{99}, T{1}, nextPe()), T{100});
  CHECK_EQ(calls.cswap(word, T{100}, static_cast<T>(-7), nextPe()), T{100});
  CHECK_EQ(calls.finc(word, nextPe()), static_cast<T>(-7));
  CHECK_EQ(calls.fadd(word, T{10}, nextPe()), static_cast<T>(-6));
  calls.inc(word, nextPe());
  calls.add(word, static_cast<T>(-20), nextPe());
  word_of<T>.end(static_cast<T>(-15));
}

/// All PEs add to one word at once.
template <class T>
inline void testSums(const Standard<T>& calls) {
  constexpr int kTimes = 200;
  T* const word = &word_of<T>.words[1];
  word_of<T>.begin();
  for (int time = 0; time < kTimes; ++time) {
    calls.inc(word, 0);
    calls.add(word, T{2}, 0);
    calls.finc(word, 0);
    calls.fadd(word, T{3}, 0);
  }
  const T sum = static_cast<T>(100 + 7 * kTimes * shmem_n_pes());
  word_of<T>.end(shmem_my_pe() == 0 ? sum : T{100});
}

}  // namespace ucxx::test

#define OLD_EXTENDED_CALLS(name) \
  { shmem_##name##_fetch, shmem_##name##_set, shmem_##name##_swap }
#define OLD_STANDARD_CALLS(name)                                                        \
  {                                                                                     \
    shmem_##name##_cswap, shmem_##name##_finc, shmem_##name##_fadd, shmem_##name##_inc, \
        shmem_##name##_add                                                              \
  }
