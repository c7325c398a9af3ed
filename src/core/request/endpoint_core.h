// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include <ucxx/typedefs.h>

#include "base/list.h"
#include "core/loop/reviews.h"
#include "core/request/handles.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/wire/wire.h"

namespace ucxx::core {

class Loop;

enum class EndpointPhase : std::uint8_t {
  Connecting,  ///< the link is not up, or the listener has not accepted yet
  Open,
  Closing,  ///< `close` was called: nothing new is taken
  Closed,
  Failed,  ///< the peer closed, rejected or died: `error` says which
};

/// An endpoint as its operations see it: its life, and its operations that have not ended.
/// `EndpointState` is a core that knows its link and its messages as well. The loop's, except where
/// another thread is named.
class EndpointCore {
 public:
  EndpointCore(const EndpointCore&) = delete;
  EndpointCore& operator=(const EndpointCore&) = delete;

  Loop& loop;
  const std::uint64_t key;  // `getHandle`: never used twice in a process
  std::uint64_t id = 0;     // names the pair; chosen by who opened it
  bool own_opened;          // this side chose it
  bool own_pair = false;    // made from its own address: both ends are this one

  /// @name Read by any thread
  /// @{
  std::atomic<EndpointPhase> phase{EndpointPhase::Connecting};
  std::atomic<ucs_status_t> error{UCS_OK};
  std::atomic<std::size_t> canceling{0};
  std::atomic<std::size_t> queued{0};  // operations that the loop has not seen yet
  /// @}

  std::string reason;  // more about `error`; written before it is set

  // Every operation that has not ended, in the order of posting; sends apart, for flushes.
  PendingList sends;
  PendingList others;
  PendingList armed;  // not started yet; neither flushes nor closes wait for them
  WaitList flushes;   // flushes and closes that wait for sends before them
  Review review;      // whether it can be freed

  /// One of `queued` has come to the loop.
  void unqueueOne() noexcept {
    queued.fetch_sub(1, std::memory_order_relaxed);
    if (isOver()) review.ask();
  }
  PendingList& listOf(const Operation& op) noexcept { return isOutgoing(op.kind) ? sends : others; }
  std::size_t pendingCount() const noexcept { return sends.size() + others.size(); }
  PairName pairName() const noexcept { return {id, own_opened}; }
  bool isOver() const noexcept {
    const EndpointPhase now = phase.load(std::memory_order_relaxed);
    return now == EndpointPhase::Closed || now == EndpointPhase::Failed;
  }
  /// What an operation on an endpoint that is over ends with.
  ucs_status_t overStatus() const noexcept {
    const ucs_status_t status = error.load(std::memory_order_relaxed);
    return status == UCS_OK ? UCS_ERR_CANCELED : status;
  }
  ucp_ep_h handle() const noexcept { return handleOf<ucp_ep_h>(key); }

  /// @name What operations tell the endpoint
  /// @{
  /// A send or a flush has ended: what waits in `flushes` may go on.
  virtual void resumeFlushes() = 0;
  /// A send has failed.
  virtual void countLoss(const Operation& op) noexcept = 0;
  /// Closes without waiting for what the peer has not taken.
  virtual void closeByForce() = 0;
  /// The time of an operation is up, and to take it back was in vain: the endpoint closes, as if
  /// the time of a close were up.
  virtual void giveUp() = 0;
  /// @}

 protected:
  EndpointCore(Loop& its_loop, bool is_own_opened);
  ~EndpointCore();

  /// A round has ended in which `review` was asked. The endpoint may be gone afterwards.
  virtual void onReviewDue() = 0;
};

}  // namespace ucxx::core
