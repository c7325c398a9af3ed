// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <chrono>

namespace ucxx::python {

/// Whether it pays to look for an answer for some microseconds before going to sleep. It does while
/// peers answer at once; it costs as much as it lasts where they cannot, on the same core. So each
/// success buys several tries, and each failure takes one; without any, one await in 64 tries.
class Spin {
 public:
  bool mayTry() noexcept { return credit_ > 0 || ++skipped_ % kTryAgain == 0; }
  void succeeded() noexcept { credit_ = std::min(credit_ + kGain, kMost); }
  void failed() noexcept { credit_ = std::max(credit_ - 1, 0); }

  /// How long: until a peer that sleeps has woken up and answered. With less, two that sleep would
  /// never find out that they need not.
  static constexpr auto kTime = std::chrono::microseconds(50);

 private:
  static constexpr int kGain = 4, kMost = 16;
  static constexpr unsigned kTryAgain = 64;
  int credit_ = kMost;
  unsigned skipped_ = 0;
};

}  // namespace ucxx::python
