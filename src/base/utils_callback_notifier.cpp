// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <chrono>

#include <ucxx/utils/callback_notifier.h>

namespace ucxx::utils {
namespace {

using Clock = std::chrono::steady_clock;

/// Never later than the clock can say: callers pass the largest integer for 'for ever'.
Clock::time_point after(std::uint64_t nanoseconds) {
  const auto now = Clock::now();
  const auto left = static_cast<std::uint64_t>((Clock::time_point::max() - now).count());
  return now + std::chrono::nanoseconds(std::min(nanoseconds, left));
}

}  // namespace

void CallbackNotifier::set() {
  // Notified with the lock held: the waiter may destroy this as soon as it can see the flag.
  const std::lock_guard lock(mutex_);
  set_ = true;
  condition_.notify_all();
}

bool CallbackNotifier::wait(std::uint64_t period, std::function<void()> signal_worker,
                            std::uint64_t signal_interval) {
  const auto deadline = period == 0 ? Clock::time_point::max() : after(period);
  const auto is_set = [this] { return set_; };
  std::unique_lock lock(mutex_);
  while (!set_ && Clock::now() < deadline) {
    auto wake_up = deadline;
    if (signal_worker) {
      lock.unlock();
      signal_worker();
      lock.lock();
      if (signal_interval > 0)
        wake_up = std::min(deadline, after(signal_interval));
      else
        signal_worker = nullptr;
    }
    if (wake_up == Clock::time_point::max())
      condition_.wait(lock, is_set);
    else
      condition_.wait_until(lock, wake_up, is_set);
  }
  return set_;
}

}  // namespace ucxx::utils
