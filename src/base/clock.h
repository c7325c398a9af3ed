// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>

namespace ucxx::base {

/// CLOCK_MONOTONIC: jumps of the wall clock never reach a deadline. A type of the library, so that
/// the simulation can put another `now` behind it when it is linked.
struct Clock {
  using duration = std::chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr bool is_steady = true;
  static time_point now() noexcept;
  /// The kernel's last tick, at most 10 ms ago: a fifth of the price.
  static time_point coarse() noexcept;
  /// As `cycles` below, for what decides more than how often to look: the simulation replaces it.
  static std::uint64_t cycles() noexcept;
  /// The thread sleeps; in the simulation the time passes at once.
  static void sleepFor(duration time) noexcept;
};
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

/// `timeout` from now; durations that no clock can add mean never.
template <class Rep, class Period>
TimePoint deadlineAfter(std::chrono::duration<Rep, Period> timeout) noexcept {
  using Seconds = std::chrono::duration<double>;
  const TimePoint now = Clock::now();
  return Seconds(timeout) >= Seconds(TimePoint::max() - now) ? TimePoint::max() : now + timeout;
}

/// A cheap tick for 'is it worth looking at the real clock'; its rate is not known and may differ
/// between cores, so it decides how often to poll and nothing else.
inline std::uint64_t cycles() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
#endif
}

}  // namespace ucxx::base
