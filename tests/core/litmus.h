// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

namespace ucxx::core::test {

/// How often a test of the order of words goes through: `usual`, or what UCXX_LITMUS_ROUNDS says.
inline unsigned long litmusRounds(unsigned long usual) {
  const char* text = std::getenv("UCXX_LITMUS_ROUNDS");
#if defined(__SANITIZE_THREAD__)
  usual = usual / 20 + 1;
#endif
  return text == nullptr ? usual : std::strtoul(text, nullptr, 10);
}

/// Nothing, some instructions, or so long that whoever waits meanwhile goes to sleep.
class RandomPauses {
 public:
  explicit RandomPauses(unsigned seed) noexcept : random_(seed) {}
  void pause() {
    const unsigned kind = random_() % 4;
    if (kind == 0) return;
    const std::chrono::nanoseconds most = kind == 1 ? kMoment : kLooks;
    const std::chrono::nanoseconds length(random_() % most.count());
    if (kind == 3) return std::this_thread::sleep_for(length);  // whoever looks has the processor
    const auto end = std::chrono::steady_clock::now() + length;
    while (std::chrono::steady_clock::now() < end) {
    }
  }

 private:
  static constexpr std::chrono::microseconds kMoment{2}, kLooks{60};
  std::mt19937 random_;
};

}  // namespace ucxx::core::test
