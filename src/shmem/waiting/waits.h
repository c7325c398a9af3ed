// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include "shmem/access/words.h"
#include "shmem/memory/locate.h"
#include "shmem/waiting/comparison.h"
#include "shmem/waiting/waiting.h"

// Point-to-point synchronisation: wait_until and test, of one variable, or of all, any or some of
// an array.

namespace ucxx::shmem {

template <class T>
inline void waitUntilOne(T* ivar, int comparison, T with, const char* call) noexcept {
  requireComparison(comparison, call);
  requireSymmetric(ivar, sizeof(T), call);
  waitForAccesses([=] { return compares(loadWhole<T>(ivar), comparison, with); }, call);
}

template <class T>
inline bool testOne(T* ivar, int comparison, T with, const char* call) noexcept {
  requireComparison(comparison, call);
  requireSymmetric(ivar, sizeof(T), call);
  return compares(loadWhole<T>(ivar), comparison, with);
}

/// One after the other of a sequence that looks random (a linear congruential generator, Knuth
/// 1997).
inline std::size_t anyNumber() noexcept {
  static thread_local std::uint64_t state = 1;
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<std::size_t>(state >> 33);
}

/// The variables that take part: those with status 0, or all where there is no status. Each is
/// compared with a value of its own, or all with one.
template <class T>
class Variables {
 public:
  Variables(const T* ivars, std::size_t count, const int* status, int comparison, const T* with,
            bool is_vector, const char* call) noexcept
      : ivars_(ivars),
        count_(count),
        status_(status),
        comparison_(comparison),
        with_(with),
        is_vector_(is_vector) {
    requireComparison(comparison, call);
    if (count != 0) requireSymmetric(ivars, count * sizeof(T), call);
  }

  std::size_t count() const noexcept { return count_; }
  /// It takes no part, or is true.
  bool isDone(std::size_t i) const noexcept { return !isIncluded(i) || isTrue(i); }
  bool isEmpty() const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (isIncluded(i)) return false;
    }
    return true;
  }
  bool areAllTrue() const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (!isDone(i)) return false;
    }
    return true;
  }
  /// One that is true; SIZE_MAX: none. The search begins anywhere, so that each that stays true
  /// comes up in the end, whatever is asked in between.
  std::size_t anyTrue() const noexcept {
    const std::size_t begin = count_ > 1 ? anyNumber() % count_ : 0;
    for (std::size_t step = 0; step < count_; ++step) {
      const std::size_t i = step < count_ - begin ? begin + step : begin + step - count_;
      if (isIncluded(i) && isTrue(i)) return i;
    }
    return SIZE_MAX;
  }
  std::size_t allTrue(std::size_t* indices) const noexcept {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (isIncluded(i) && isTrue(i)) indices[found++] = i;
    }
    return found;
  }

 private:
  bool isIncluded(std::size_t i) const noexcept { return status_ == nullptr || status_[i] == 0; }
  bool isTrue(std::size_t i) const noexcept {
    return compares(loadWhole<T>(ivars_ + i), comparison_, with_[is_vector_ ? i : 0]);
  }

  const T* ivars_;
  std::size_t count_;
  const int* status_;
  int comparison_;
  const T* with_;
  bool is_vector_;
};

/// One after the other: a variable that was true once need not stay so.
template <class T>
UCXX_SHMEM_HOT void waitForAll(const Variables<T>& variables, const char* call) noexcept {
  for (std::size_t i = 0; i < variables.count(); ++i) {
    if (!waitForAccesses([&] { return variables.isDone(i); }, call)) return;
  }
}

template <class T>
inline std::size_t waitForAny(const Variables<T>& variables, const char* call) noexcept {
  if (variables.isEmpty()) return SIZE_MAX;
  std::size_t found = SIZE_MAX;
  waitForAccesses([&] { return (found = variables.anyTrue()) != SIZE_MAX; }, call);
  return found;
}

template <class T>
inline std::size_t waitForSome(const Variables<T>& variables, std::size_t* indices,
                               const char* call) noexcept {
  if (variables.isEmpty()) return 0;
  std::size_t found = 0;
  waitForAccesses([&] { return (found = variables.allTrue(indices)) != 0; }, call);
  return found;
}

}  // namespace ucxx::shmem
