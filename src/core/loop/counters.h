// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>

namespace ucxx::core {

/// A counter that the loop writes and any thread reads.
class Counter {
 public:
  [[gnu::always_inline]] void add(
      std::uint64_t n = 1) noexcept {  // one writer: no locked instruction
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// What `WorkerStats` shows.
struct Counters {
  Counter messages_sent, messages_received, bytes_sent, bytes_received;
  Counter inline_completions, unexpected_messages, wake_ups, stalled_requests;
  Counter reordered_messages, dropped_messages, fetched_ahead;
  std::atomic<std::uint64_t> queued_posts{0};  // written by the posting threads
  Counter unqueued_posts;
  Counter started, ended;   // requests
  Counter armed, disarmed;  // requests
  Counter plans, ended_plans;
};

}  // namespace ucxx::core
