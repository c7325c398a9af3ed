// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>

#include "base/fence.h"
#include "base/poller.h"
#include "core/owner.h"

namespace ucxx::core {

/// The doorbell of a loop: an eventfd and a flag that says whether anybody sleeps, so that a post
/// to a loop that is awake costs no system call.
class Wake final : private base::PollHandler {
 public:
  explicit Wake(base::Poller& poller);
  ~Wake();

  /// The owner, before it sleeps; it must look for work once more afterwards.
  void announceSleep() noexcept {
    sleeper_ = threadToken();
    sleeping_.store(true, std::memory_order_relaxed);
    base::fullFence();
  }
  /// The owner is awake. The announcement of another thread stands: it may be asleep.
  void endSleep() noexcept {
    if (sleeping_.load(std::memory_order_relaxed) && sleeper_ == threadToken())
      sleeping_.store(false, std::memory_order_relaxed);
  }
  bool isAnnounced() const noexcept { return sleeping_.load(std::memory_order_relaxed); }

  /// After a post: rings if the loop sleeps or is about to. One system call per sleep.
  void ringIfAsleep() noexcept {
    base::fullFence();
    if (sleeping_.load(std::memory_order_relaxed) &&
        sleeping_.exchange(false, std::memory_order_acq_rel))
      ring();
  }
  /// Rings in any case, and ends the next sleep even if a look at the descriptors has taken the
  /// ring before it. Async-signal-safe.
  void signal() noexcept {
    signalled_.store(true, std::memory_order_seq_cst);
    ring();
  }
  /// The owner: whether `signal` was called since the last time.
  bool takeSignal() noexcept {
    return signalled_.load(std::memory_order_relaxed) &&
           signalled_.exchange(false, std::memory_order_seq_cst);
  }

 private:
  void ring() noexcept;
  void onReady(std::uint32_t events) override;

  base::Poller& poller_;
  base::FileDescriptor event_;
  std::atomic<bool> sleeping_{false};
  std::uintptr_t sleeper_ = 0;  // the owner's
  std::atomic<bool> signalled_{false};
};

}  // namespace ucxx::core
