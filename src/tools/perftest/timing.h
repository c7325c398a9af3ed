// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ucxx::tools {

/// What the clock said.
struct Timing {
  double seconds = 0;                    ///< of all iterations
  std::vector<std::uint64_t> each_ns{};  ///< latency: of each iteration
};

/// Of the processor's own clock, which takes less time to read.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

inline double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Calls `each(i)` with 0, 1, ... and times every call.
template <class Each>
Timing timeEach(std::uint64_t iterations, Each each) {
  Timing timing;
  timing.each_ns.resize(iterations);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t before = ticks();
  for (std::uint64_t i = 0; i < iterations; ++i) {
    each(i);
    const std::uint64_t now = ticks();
    timing.each_ns[i] = now > before ? now - before : 0;
    before = now;
  }
  timing.seconds = secondsSince(start);
  // Ticks took as long as the clock says.
  const double total = std::accumulate(timing.each_ns.begin(), timing.each_ns.end(), 0.0);
  for (std::uint64_t& one : timing.each_ns)
    one = static_cast<std::uint64_t>(static_cast<double>(one) * (timing.seconds * 1e9 / total));
  return timing;
}

}  // namespace ucxx::tools
