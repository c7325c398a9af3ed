// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include <ucxx/pool.h>

namespace ucxx {

/// What a worker has done since it was made. Relaxed counters: each is exact, together they are no
/// snapshot.
struct WorkerStats {
  std::uint64_t messages_sent = 0;
  std::uint64_t messages_received = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t inline_completions = 0;   ///< requests that had ended when their call returned
  std::uint64_t unexpected_messages = 0;  ///< came before a receive matched them
  std::uint64_t queued_posts = 0;         ///< posts that went through the queue to the owner
  std::uint64_t wake_ups = 0;             ///< times the loop slept, for a moment too
  std::uint64_t queue_depth = 0;          ///< posts queued now
  std::uint64_t pending_requests = 0;     ///< requests not ended now
  std::uint64_t armed_requests = 0;       ///< requests that wait for their condition now
  /// Requests, and iterations of prepared transfers, reported as older than
  /// `WorkerOptions::stall_report`.
  std::uint64_t stalled_requests = 0;
  std::uint64_t reordered_messages = 0;  ///< came before their turn (several lanes)
  std::uint64_t dropped_messages = 0;    ///< of unknown links or callbacks
  std::uint64_t fetched_ahead = 0;       ///< payloads fetched before a receive matched them
  std::uint64_t prepared_transfers = 0;  ///< whose close has not ended, if it has begun at all
};

}  // namespace ucxx
