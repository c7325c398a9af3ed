// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "turn.h"

#include <thread>

#include "without_gil.h"

namespace ucxx::python {
namespace {

/// Awaits that end at once, between two looks at the clock.
constexpr std::uint32_t kInlineEnds = 64;
/// A loop that steps tasks and has not slept for so long lets other threads have the GIL, for which
/// they need so long.
constexpr auto kLongestWithoutOthers = std::chrono::milliseconds(5);
constexpr auto kTurnOfOthers = std::chrono::microseconds(50);

}  // namespace

bool Turn::mayGoOn() noexcept {
  if (++inline_ends_ % kInlineEnds != 0) return true;
  const auto now = Clock::now();
  if (now - began_ < kLength) return true;
  began_ = now;
  return false;
}

/// A loop that has always something to do lets go of the GIL for no longer than it takes the system
/// to look at its descriptors. Who waits for the GIL is then woken, and comes too late each time.
void Turn::letOthersRun() {
  if (began_ - slept_ <= kLongestWithoutOthers) return;
  slept_ = Clock::now();
  if (!hasOtherThreads()) return;
  const WithoutGil released;
  std::this_thread::sleep_for(kTurnOfOthers);
}

}  // namespace ucxx::python
