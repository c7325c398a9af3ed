// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace ucxx::core {

class Plan;

/// The plans of a loop for which another thread, or a peer, may write a word that something waits
/// for. A part of the loop.
class WatchedPlans {
 public:
  /// They count in `polled`.
  explicit WatchedPlans(std::size_t& polled) noexcept : polled_(polled) {}
  /// Looks at each. True: something has moved.
  bool poll() noexcept;
  /// Kernels may write a word of one, and ring nobody.
  bool awaitKernels() const noexcept;
  /// Without memory for it, the plan closes.
  void add(Plan& plan) noexcept;
  /// The loop is to sleep: what needs no look is not watched then, for its threads would ring.
  void dropIdle() noexcept;

 private:
  /// To let go of a plan and to take it again costs a fence of all threads, some microseconds:
  /// those that need one stay for a while.
  static constexpr unsigned kIdleLooks = 4096;
  struct Watched {
    std::shared_ptr<Plan> plan;
    unsigned idle_looks = 0;
  };
  void drop(std::size_t place) noexcept;

  std::size_t& polled_;
  std::vector<Watched> plans_;
  bool is_polling_ = false;
};

}  // namespace ucxx::core
