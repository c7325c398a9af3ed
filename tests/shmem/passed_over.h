// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>

#include "missed_writer.h"
#include "shmem/check.h"

namespace ucxx::test {

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

/// For two PEs, before shmem_init: one of them is passed over from now on, and the other one leaves
/// its processor alone. With one processor only it does nothing.
inline void letOneBePassedOver() {
  const auto [first, second] = twoProcessors();
  if (second >= 0) CHECK(isFirstOfTwo() ? bePassedOverOn(first, second) : runOn(second));
}

}  // namespace ucxx::test
