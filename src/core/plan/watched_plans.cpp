// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/plan/watched_plans.h"

#include <algorithm>
#include <utility>

#include "base/foreign_fence.h"
#include "core/plan/plan.h"

namespace ucxx::core {

void WatchedPlans::add(Plan& plan) noexcept {
  if (plan.is_watched_.load(std::memory_order_relaxed)) return;
  try {
    plans_.push_back({plan.shared_from_this()});
  } catch (const std::bad_alloc&) {
    return plan.close(UCS_ERR_NO_MEMORY, ": no memory to watch it");
  }
  beginWatching();
  plan.is_watched_.store(true, std::memory_order_relaxed);
  if (plan.isMovedByThreads()) base::foreignFence();
}

bool WatchedPlans::changesInSilence() const noexcept {
  return std::any_of(plans_.begin(), plans_.end(),
                     [](const WatchedPlan& one) { return one.plan->awaitsKernels(); });
}

/// Callbacks may add others, at the end. One that waits, which is forbidden, would come here again.
bool WatchedPlans::look() noexcept {
  if (is_polling_) return false;
  is_polling_ = true;
  bool moved = false;
  for (std::size_t i = 0; i < plans_.size();) {
    const std::shared_ptr<Plan> plan = plans_[i].plan;
    moved |= plan->look();
    unsigned& idle = plans_[i].idle_looks;
    idle = plan->needsLook() ? 0 : idle + 1;
    if (idle > (plan->isMovedByThreads() ? kIdleLooks : 0))
      drop(i);
    else
      ++i;
  }
  is_polling_ = false;
  return moved;
}

bool WatchedPlans::maySleep() noexcept {
  if (look()) return false;
  dropIdle();
  return true;
}

void WatchedPlans::dropIdle() noexcept {
  if (is_polling_) return;
  for (std::size_t i = plans_.size(); i-- != 0;)
    if (!plans_[i].plan->needsLook()) drop(i);
}

void WatchedPlans::drop(std::size_t place) noexcept {
  plans_[place].plan->is_watched_.store(false, std::memory_order_relaxed);
  std::swap(plans_[place], plans_.back());
  plans_.pop_back();
  endWatching();
}

}  // namespace ucxx::core
