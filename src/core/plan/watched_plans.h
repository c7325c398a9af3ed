// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/loop/loop.h"
#include "core/loop/rooms.h"
#include "core/loop/watch.h"

namespace ucxx::core {

class Plan;

/// The plans of a loop for which another thread, or a peer, may write a word that something waits
/// for. A part of the loop.
class WatchedPlans final : public Watched {
 public:
  explicit WatchedPlans(Watch& watch) noexcept : Watched(watch) {}
  bool look() noexcept override;
  /// What needs no look is not watched while the loop sleeps, for its threads would ring.
  bool maySleep() noexcept override;
  /// Kernels may write a word of one, and ring nobody.
  bool changesInSilence() const noexcept override;
  /// Without memory for it, the plan closes.
  void add(Plan& plan) noexcept;

 private:
  /// To let go of a plan and to take it again costs a fence of all threads, some microseconds:
  /// those that need one stay for a while.
  static constexpr unsigned kIdleLooks = 4096;
  struct WatchedPlan {
    std::shared_ptr<Plan> plan;
    unsigned idle_looks = 0;
  };
  void drop(std::size_t place) noexcept;
  void dropIdle() noexcept;

  std::vector<WatchedPlan> plans_;
  bool is_polling_ = false;
};

inline WatchedPlans& watchedPlansOf(const Loop& loop) noexcept { return *loop.rooms.watched_plans; }

}  // namespace ucxx::core
