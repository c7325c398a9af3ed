// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <vector>

namespace ucxx::core {

class Plan;

/// The plans of a loop for which another thread, or a peer, may write a word that something waits
/// for. A part of the loop.
class WatchedPlans {
 public:
  bool any() const noexcept { return !plans_.empty(); }
  /// Looks at each. True: something has moved.
  bool poll() noexcept;
  /// Without memory for it, the plan closes.
  void add(Plan& plan) noexcept;

 private:
  std::vector<std::shared_ptr<Plan>> plans_;
};

}  // namespace ucxx::core
