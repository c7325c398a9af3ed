// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <thread>

#include <fcntl.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shmem/check.h"

// Linux (seen with 6.18) notes for each processor whether the process that runs there takes part in
// membarrier, when another process than before begins to run there, and, at the registration, for
// the processor on which that happens. So a process that was on processor A, registers on B and
// comes back to A, where nobody else has run, is passed over as long as it stays there.

namespace ucxx::test {

/// -1: there are not so many that this process may run on.
inline std::array<int, 2> twoProcessors() {
  cpu_set_t set;
  CHECK_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  std::array<int, 2> found{-1, -1};
  std::size_t count = 0;
  for (int i = 0; i < CPU_SETSIZE && count < found.size(); ++i) {
    if (CPU_ISSET(static_cast<unsigned>(i), &set)) found[count++] = i;
  }
  return found;
}

inline void runOn(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  CHECK_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
}

/// True in one of the two processes with this parent that ask.
inline bool isFirstOfTwo() {
  const std::string name = "/ucxx-test-passed-over-" + std::to_string(::getppid());
  const int fd = ::shm_open(name.c_str(), O_CREAT | O_EXCL, 0600);
  if (fd < 0) {
    CHECK_EQ(errno, EEXIST);
    CHECK_EQ(::shm_unlink(name.c_str()), 0);
    return false;
  }
  ::close(fd);
  return true;
}

/// For two PEs, before shmem_init: one of them is passed over from now on, unless somebody else
/// runs on its processor; the other one leaves that alone. With one processor only it does nothing.
inline void letOneBePassedOver() {
  const auto [first, second] = twoProcessors();
  if (second < 0) return;
  if (!isFirstOfTwo()) return runOn(second);
  runOn(first);
  std::this_thread::sleep_for(std::chrono::milliseconds(3));  // so that its processor is idle
  runOn(second);
  CHECK_EQ(::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0), 0);
  runOn(first);
}

}  // namespace ucxx::test
