// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/clock.h"

#include <ctime>
#include <thread>

namespace ucxx::base {

Clock::time_point Clock::now() noexcept { return std::chrono::steady_clock::now(); }

Clock::time_point Clock::coarse() noexcept {
  timespec tick{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &tick);
  return time_point(std::chrono::seconds(tick.tv_sec) + std::chrono::nanoseconds(tick.tv_nsec));
}

std::uint64_t Clock::cycles() noexcept { return base::cycles(); }

void Clock::sleepFor(duration time) noexcept { std::this_thread::sleep_for(time); }

}  // namespace ucxx::base
