// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <bit>

#include "shmem/access/hot.h"
#include "shmem/access/words.h"
#include "shmem/memory/locate.h"
#include "shmem/waiting/waiting.h"

// Atomic operations: the processor's, on the memory itself. So one domain of atomicity holds all
// contexts. Integers wrap; float and double are exchanged by their bits.

namespace ucxx::shmem {

template <class T>
inline Word<sizeof(T)>* wordAt(const Place& there) noexcept {
  return reinterpret_cast<Word<sizeof(T)>*>(there.address);
}
template <class T>
inline Word<sizeof(T)> bitsOf(T value) noexcept {
  return std::bit_cast<Word<sizeof(T)>>(value);
}

template <class T>
UCXX_SHMEM_HOT T atomicFetch(const T* source, int pe, const char* call) noexcept {
  return loadWhole<T>(locate(source, sizeof(T), pe, call).address);
}

template <class T>
UCXX_SHMEM_HOT void atomicSet(T* dest, T value, int pe, const char* call) noexcept {
  const Place there = locate(dest, sizeof(T), pe, call);
  storeWhole(there.address, value);
  wakeIfAsleep(there.control.for_accesses);
}

template <class T>
UCXX_SHMEM_HOT T atomicSwap(T* dest, T value, int pe, const char* call) noexcept {
  const Place there = locate(dest, sizeof(T), pe, call);
  const auto old = __atomic_exchange_n(wordAt<T>(there), bitsOf(value), __ATOMIC_SEQ_CST);
  wakeIfAsleep(there.control.for_accesses);
  return std::bit_cast<T>(old);
}

template <class T>
UCXX_SHMEM_HOT T atomicCompareSwap(T* dest, T cond, T value, int pe, const char* call) noexcept {
  const Place there = locate(dest, sizeof(T), pe, call);
  auto old = bitsOf(cond);
  __atomic_compare_exchange_n(wordAt<T>(there), &old, bitsOf(value), false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  wakeIfAsleep(there.control.for_accesses);
  return std::bit_cast<T>(old);
}

/// One for each operation, since the built-ins cannot be arguments.
#define UCXX_SHMEM_FETCHING(function, builtin)                                     \
  template <class T>                                                               \
  UCXX_SHMEM_HOT T function(T* dest, T value, int pe, const char* call) noexcept { \
    const Place there = locate(dest, sizeof(T), pe, call);                         \
    const auto old = builtin(wordAt<T>(there), bitsOf(value), __ATOMIC_SEQ_CST);   \
    wakeIfAsleep(there.control.for_accesses);                                      \
    return std::bit_cast<T>(old);                                                  \
  }
UCXX_SHMEM_FETCHING(atomicFetchAdd, __atomic_fetch_add)
UCXX_SHMEM_FETCHING(atomicFetchAnd, __atomic_fetch_and)
UCXX_SHMEM_FETCHING(atomicFetchOr, __atomic_fetch_or)
UCXX_SHMEM_FETCHING(atomicFetchXor, __atomic_fetch_xor)
#undef UCXX_SHMEM_FETCHING

}  // namespace ucxx::shmem
