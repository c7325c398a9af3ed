// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// A writer that the kernel's membarrier passes over (base/foreign_fence.h), and stores of it that
// others see late.

namespace ucxx::test {

/// Processors that this process may run on; -1: there are not so many.
inline std::array<int, 2> twoProcessors() {
  cpu_set_t set;
  std::array<int, 2> found{-1, -1};
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return found;
  std::size_t count = 0;
  for (int i = 0; i < CPU_SETSIZE && count < found.size(); ++i) {
    if (CPU_ISSET(static_cast<unsigned>(i), &set)) found[count++] = i;
  }
  return found;
}

inline bool runOn(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

/// For a process with one thread that has not admitted foreign fences yet: it runs on `processor`
/// from now on, and is passed over unless another process runs there. It visits the other one.
inline bool bePassedOverOn(int processor, int other) {
  if (!runOn(processor)) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(3));  // the processor is idle meanwhile
  return runOn(other) &&
         ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0 &&
         runOn(processor);
}

/// A processor keeps stores for a microsecond and more behind ones to memory that it has to fetch,
/// and goes on.
class LateStores {
 public:
  /// What the thread stores next is seen late.
  void delayNext() {
    constexpr int kStores = 20;  // not more than a processor can keep
    constexpr std::size_t kStep = (std::size_t{1} << 12) + 64;
    for (int i = 0; i < kStores; ++i) {
      next_ = (next_ + kStep) % strewn_.size();
      storeFar(&strewn_[next_]);
    }
  }

 private:
  static void storeFar(volatile char* place) {
#if defined(__x86_64__)
    __builtin_ia32_clflush(const_cast<char*>(place));
#endif
    *place = 1;
  }

  std::vector<char> strewn_ = std::vector<char>(std::size_t{16} << 20);
  std::size_t next_ = 0;
};

}  // namespace ucxx::test
