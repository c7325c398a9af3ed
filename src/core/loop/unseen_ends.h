// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace ucxx::core {

/// Ends of requests that whoever waits by sleeping may not have seen. Programs call
/// `progressWorkerEvent(-1)` once for each request before they look whether it has ended; it may
/// have, inside the call that posted it, and nothing else will come: such a call must not sleep.
class UnseenEnds {
 public:
  /// Takes one of the `ended` so far; false: all were taken.
  bool take(std::uint64_t ended) noexcept {
    std::uint64_t seen = seen_.load(std::memory_order_relaxed);
    if (seen >= ended) return false;
    seen = std::max(seen, ended - std::min(ended, kMost));
    seen_.store(seen + 1, std::memory_order_relaxed);
    return true;
  }

 private:
  /// Who counts on it has posted a few; who progresses otherwise shall sleep again soon.
  static constexpr std::uint64_t kMost = 65536;
  std::atomic<std::uint64_t> seen_{0};
};

}  // namespace ucxx::core
