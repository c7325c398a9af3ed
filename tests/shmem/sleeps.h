// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <thread>

#include <dlfcn.h>
#include <linux/futex.h>
#include <shmem.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Sees the library go to sleep, and lets it sleep until it is woken: `syscall`, through which the
// library calls the kernel, is replaced here. So a program that includes this has one source. A
// sleep ends by itself after some milliseconds, which hides a wake-up that was lost; without an end
// it is a hang, which the time limit of the job turns into a failure. The first sleep behind an
// announcement is short (waiting.cpp); it keeps its end, and is counted apart.

namespace ucxx::test {

/// How often threads of this PE have gone to sleep in the library, but for first sleeps. A static
/// of the program, so other PEs can read it.
inline std::atomic<long> sleeps{0};
static_assert(sizeof sleeps == sizeof(long));
inline std::atomic<long> first_sleeps{0};

/// How often this PE has woken whoever sleeps on a bell.
inline std::atomic<long> rings{0};

/// Sleeps of this PE end by a wake-up only, but for first sleeps.
inline std::atomic<bool> sleeps_forever{false};

/// To be set before shmem_init: the kernel has no membarrier.
inline std::atomic<bool> refuses_membarrier{false};

/// Of another PE.
inline long countOf(const std::atomic<long>& count, int pe) {
  return shmem_long_atomic_fetch(reinterpret_cast<const long*>(&count), pe);
}

/// Returns when threads of a PE have gone to sleep more often than so.
inline void awaitSleep(int pe, long before) {
  while (countOf(sleeps, pe) <= before) std::this_thread::yield();
}

using Syscall = long(long, ...);

// No static local variable: its guard may call this function.
inline Syscall* realSyscall() noexcept {
  static constinit std::atomic<Syscall*> found{nullptr};
  if (found.load() == nullptr)
    found.store(reinterpret_cast<Syscall*>(::dlsym(RTLD_NEXT, "syscall")));
  return found.load();
}

/// The library waits in shared futexes, with a time limit; threads of the C++ library in private
/// ones.
inline bool isSleep(long number, long operation, long timeout) noexcept {
  return number == SYS_futex && static_cast<int>(operation) == FUTEX_WAIT && timeout != 0;
}
inline bool isRing(long number, long operation) noexcept {
  return number == SYS_futex && static_cast<int>(operation) == FUTEX_WAKE;
}
inline bool isFirstSleep(long timeout) noexcept {
  constexpr long kLongest = 5'000'000;
  return reinterpret_cast<const timespec*>(timeout)->tv_nsec < kLongest;
}

/// Returns the time limit that it gets.
inline long countSleep(long timeout) noexcept {
  (isFirstSleep(timeout) ? first_sleeps : sleeps).fetch_add(1);
  return sleeps_forever && !isFirstSleep(timeout) ? 0 : timeout;
}

}  // namespace ucxx::test

extern "C" [[gnu::visibility("default")]] long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_membarrier && ucxx::test::refuses_membarrier) {
    errno = ENOSYS;
    return -1;
  }
  if (ucxx::test::isRing(number, a[1])) ucxx::test::rings.fetch_add(1);
  if (ucxx::test::isSleep(number, a[1], a[3])) a[3] = ucxx::test::countSleep(a[3]);
  return ucxx::test::realSyscall()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
