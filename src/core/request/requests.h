// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/list.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/loop/rooms.h"
#include "core/request/endpoint_core.h"
#include "core/request/history.h"
#include "core/request/operation.h"

namespace ucxx::core {

inline Requests& requestsOf(const Loop& loop) noexcept { return *loop.rooms.requests; }

/// The operations of a worker, from their post to their end. Those of an endpoint are in its lists.
class Requests {
 public:
  explicit Requests(Loop& loop) noexcept : loop_(loop) {}
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  /// @name Any thread
  /// @{
  /// Starts a transfer: at once when this thread can own the loop, else through the queue.
  void submit(Operation& op);
  void cancel(Operation& op);
  /// Who has cancelled may give back afterwards, which can do more.
  void cancelAgain(Operation& op);
  /// @}

  /// @name The owner of the loop
  /// @{
  /// Without memory for it, the operation ends with NO_MEMORY.
  void start(Operation& op);
  /// `op` has begun to wait, or to move.
  [[gnu::always_inline]] static void track(Operation& op) noexcept {
    Loop& loop = *op.loop;
    op.since = loop.now();
    op.order = loop.nextOrder();
    (op.endpoint != nullptr ? op.endpoint->listOf(op) : requestsOf(loop).pending).pushBack(op);
    loop.counters.started.add();
  }
  /// `op` ends.
  [[gnu::always_inline]] static void forget(Operation& op) noexcept {
    if (!op.pending_node.linked()) return;
    op.loop->counters.ended.add();
    op.endpoint != nullptr ? forgetIn(*op.endpoint, op) : requestsOf(*op.loop).pending.remove(op);
  }
  void listArmed(Operation& op) noexcept;
  void unlistArmed(Operation& op) noexcept;
  /// An operation ends that has never started.
  void countUnstarted() noexcept {
    loop_.counters.started.add();
    loop_.counters.ended.add();
  }
  /// @}

  PendingList pending;  // operations that are bound to no endpoint
  PendingList armed;    // bound to no endpoint, and not started by their conditions
  History history;

 private:
  void cancelNow(Operation& op) noexcept;
  static void forgetIn(EndpointCore& endpoint, Operation& op) noexcept {
    endpoint.listOf(op).remove(op);
    if (op.cancelled) endpoint.canceling.fetch_sub(1, std::memory_order_relaxed);
    if (!endpoint.isOver() || endpoint.pendingCount() != 0) return;
    endpoint.review.ask();
    endpoint.loop.needsRound();
  }

  Loop& loop_;
};

}  // namespace ucxx::core
