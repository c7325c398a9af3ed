// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/bulk_memory.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<bool> has_memory{true};

}  // namespace

/// In the place of the system's.
extern "C" int madvise(void* address, std::size_t bytes, int advice) noexcept {
  constexpr int kPopulateWrite = 23;
  if (advice == kPopulateWrite && !has_memory) {
    errno = EINVAL;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_madvise, address, bytes, advice));
}

namespace ucxx::core::test {

void setBulkMemory(bool available) { has_memory = available; }

}  // namespace ucxx::core::test
