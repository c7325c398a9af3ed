// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>

#include "shmem/access/words.h"
#include "shmem/memory/locate.h"
#include "shmem/waiting/waiting.h"

// Atomic operations on values that are longer than a word of the processor: long double. They
// exclude each other by a lock of the PE that has the value, and nothing else: a put tears them.

namespace ucxx::shmem {

/// Holds the lock of a PE for long values. It is held for some instructions and never across a
/// call, so few wait; a holder that has died ends the job.
class LongValuesLock {
 public:
  LongValuesLock(const Place& there, int pe, const char* call) noexcept
      : control_(there.control), word_(there.control.long_values) {
    while (word_.exchange(1, std::memory_order_acquire) != 0)
      waitForFlags([&] { return word_.load(std::memory_order_relaxed) == 0; }, call, pe);
  }
  ~LongValuesLock() {
    word_.store(0, std::memory_order_release);
    wakeIfAsleep(control_.for_flags);
  }
  LongValuesLock(const LongValuesLock&) = delete;
  LongValuesLock& operator=(const LongValuesLock&) = delete;

 private:
  Control& control_;
  std::atomic<std::uint32_t>& word_;
};

template <class T>
inline T lockedFetch(const T* source, int pe, const char* call) noexcept {
  const Place there = locate(source, sizeof(T), pe, call);
  const LongValuesLock lock(there, pe, call);
  return loadWhole<T>(there.address);
}

template <class T>
inline T lockedSwap(T* dest, T value, int pe, const char* call) noexcept {
  const Place there = locate(dest, sizeof(T), pe, call);
  const LongValuesLock lock(there, pe, call);
  const T old = loadWhole<T>(there.address);
  storeWhole(there.address, value);
  return old;
}

template <class T>
inline void lockedSet(T* dest, T value, int pe, const char* call) noexcept {
  (void)lockedSwap(dest, value, pe, call);
}

}  // namespace ucxx::shmem
