// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/blocking_launches.h"

#include <atomic>
#include <cstdlib>

#include "base/log.h"

namespace ucxx::cuda {
namespace {

/// Null: launches do not block.
const char* blockingLaunches() noexcept {
  static const char* const found = [] {
    const char* const text = std::getenv("CUDA_LAUNCH_BLOCKING");  // NOLINT(concurrency-mt-unsafe)
    const bool is_set = text != nullptr && std::atoi(text) != 0;   // NOLINT(cert-err34-c)
    return is_set ? text : nullptr;
  }();
  return found;
}

}  // namespace

void warnOfBlockingLaunches() noexcept {
  if (blockingLaunches() == nullptr) return;
  base::log(
      LogLevel::Warn, "cuda",
      "CUDA_LAUNCH_BLOCKING is {}: a launch after a stream's wait for a transfer, and one of a "
      "kernel that waits, come back only when it has ended; unset it, or post both ends before",
      blockingLaunches());
}

void warnOfCallerThatLaunches(const char* what) noexcept {
  static std::atomic<bool> is_told{false};
  if (blockingLaunches() == nullptr || is_told.exchange(true)) return;
  base::log(LogLevel::Warn, "cuda",
            "{}: caller_progresses, and CUDA_LAUNCH_BLOCKING is {}: while a launch waits for a "
            "transfer its thread does not move the worker, and both wait for ever; start a "
            "progress thread (Worker::startProgressThread), or unset the variable",
            what, blockingLaunches());
}

}  // namespace ucxx::cuda
