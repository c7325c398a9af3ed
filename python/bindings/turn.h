// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>

namespace ucxx::python {

/// A turn that the worker has in its event loop, and whom it keeps waiting: the loop's other tasks,
/// and threads of Python that want the GIL. Everything needs the GIL.
class Turn {
 public:
  using Clock = std::chrono::steady_clock;

  void begin() noexcept { began_ = Clock::now(); }
  /// When the next task has to wait for the loop's next turn.
  Clock::time_point end() const noexcept { return began_ + kLength; }
  /// An await that suspends nobody: false once in a while, when others should have their turn.
  bool mayGoOn() noexcept;
  /// It ends with the loop asleep, and so without the GIL.
  void endsAsleep() noexcept { slept_ = began_; }
  /// Lets other threads have the GIL for a moment, if the loop has not slept for long.
  void letOthersRun();

 private:
  static constexpr auto kLength = std::chrono::milliseconds(1);
  Clock::time_point began_{};
  Clock::time_point slept_{};  // when the loop has last had nothing to do
  std::uint32_t inline_ends_ = 0;
};

}  // namespace ucxx::python
