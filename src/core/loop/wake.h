// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>

#include "base/fence.h"
#include "base/file_descriptor.h"
#include "base/phase.h"
#include "base/phases.h"
#include "base/poller.h"
#include "core/loop/owner.h"

namespace ucxx::core {

/// The doorbell of a loop: an eventfd and a flag that says whether anybody sleeps, so that a post
/// to a loop that is awake costs no system call. Several threads may sleep, each after it was the
/// owner: a ring wakes them all.
class Wake final : private base::PollHandler {
 public:
  explicit Wake(base::Poller& poller);
  ~Wake();

  /// The owner, before it sleeps; it must look for work once more afterwards.
  void announceSleep() noexcept {
    sleeper_ = threadToken();
    sleeping_.store(true, std::memory_order_release);
    base::fullFence();
    base::reached(base::Phase::AsleepSaid);
  }
  /// The owner is awake. An announcement stands while another thread may be asleep with it: the one
  /// that made it, or any that waits. True: there is none any more.
  bool endSleep() noexcept {
    if (sleeper_ != threadToken() || hasWaiters()) return false;
    sleeper_ = 0;
    sleeping_.store(false, std::memory_order_relaxed);
    return true;
  }
  bool hasWaiters() const noexcept { return waiters_.load() != 0; }
  /// While a thread has one, from when it announces its sleep, as the owner, until it is awake,
  /// others leave to it what would wake it: the ring and the timer.
  class Waiter {
   public:
    explicit Waiter(Wake& wake) noexcept : wake_(wake) { wake_.waiters_.fetch_add(1); }
    ~Waiter() { wake_.waiters_.fetch_sub(1); }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

   private:
    Wake& wake_;
  };

  /// After a post: rings if the loop sleeps or is about to. One system call per sleep.
  void ringIfAsleep() noexcept {
    base::fullFence();
    ringOthers();
  }
  /// The owner, when it has done something: rings for a thread that sleeps. That one was the owner
  /// when it announced it, so that nothing is to be fenced.
  [[gnu::always_inline]] void ringOthers() noexcept {
    if (sleeping_.load(std::memory_order_relaxed)) [[unlikely]]
      ringSleepers();
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
  void ringSleepers() noexcept;
  void ring() noexcept;
  void onReady(std::uint32_t events) override;

  base::Poller& poller_;
  base::FileDescriptor event_;
  std::atomic<bool> sleeping_{false};
  std::uintptr_t sleeper_ = 0;  // who announced last; the owner's
  std::atomic<int> waiters_{0};
  std::atomic<bool> signalled_{false};
};

}  // namespace ucxx::core
