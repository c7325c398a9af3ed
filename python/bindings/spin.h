// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <chrono>

namespace ucxx::python {

/// Whether it pays to look for an answer for some microseconds before going to sleep, and for how
/// long. It pays while peers answer soon; it costs as much as it lasts where they cannot, on the
/// same core. So each success buys several tries, and each failure takes one; without any, one
/// await in 64 tries.
///
/// A peer that unpacks an array needs longer than one that sends bytes back. So a look lasts as
/// long as answers have lately taken that came soon after one, up to `kMostTime`.
class Spin {
 public:
  using Clock = std::chrono::steady_clock;

  bool mayTry() noexcept { return credit_ > 0 || ++skipped_ % kTryAgain == 0; }
  /// How long to look.
  Clock::duration time() const noexcept { return time_; }
  /// What was looked for has come after so long.
  void succeeded(Clock::duration took) noexcept {
    gain();
    waits_ = false;
    if (took > kMostTime) return;  // it was long, not late
    const Clock::duration enough = std::clamp(2 * took, kTime, kMostTime);
    time_ += (enough - time_) / kMemory;
  }
  /// It has not, in a look that began then.
  void failed(Clock::time_point began) noexcept {
    credit_ = std::max(credit_ - 1, 0);
    began_ = began;
    waits_ = true;
  }
  /// Something that was waited for has come, and woken the worker.
  void came(Clock::time_point now) noexcept {
    if (!waits_) return;
    waits_ = false;
    const Clock::duration took = now - began_;
    if (took > kMostTime) {
      time_ += (kTime - time_) / kMemory;
      return;
    }
    time_ = std::max(time_, took);
    gain();
  }

  /// The least: until a peer that sleeps has woken up and answered. With less, two that sleep would
  /// never find out that they need not.
  static constexpr Clock::duration kTime = std::chrono::microseconds(50);
  /// A sleep and its end cost two processes some 100 us.
  static constexpr Clock::duration kMostTime = std::chrono::microseconds(200);

 private:
  void gain() noexcept { credit_ = std::min(credit_ + kGain, kMost); }

  static constexpr int kGain = 4, kMost = 16;
  static constexpr int kMemory = 8;  // answers
  static constexpr unsigned kTryAgain = 64;
  int credit_ = kMost;
  unsigned skipped_ = 0;
  Clock::duration time_ = kTime;
  Clock::time_point began_{};
  bool waits_ = false;
};

}  // namespace ucxx::python
