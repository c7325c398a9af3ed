// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <ucxx/typedefs.h>

#include "base/clock.h"
#include "base/list.h"
#include "core/loop/deadlines.h"
#include "core/loop/post.h"
#include "core/loop/reviews.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_plans.h"
#include "core/match/message.h"
#include "core/request/handles.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"

namespace ucxx::core {

class Inlet;
class Loop;

enum class EndpointPhase : std::uint8_t {
  Connecting,  ///< the link is not up, or the listener has not accepted yet
  Open,
  Closing,  ///< `close` was called: nothing new is taken
  Closed,
  Failed,  ///< the peer closed, rejected or died: `error` says which
};

/// Sends whose receiver has not taken them.
struct Untaken {
  std::size_t messages = 0;
  std::uint64_t bytes = 0;

  bool empty() const noexcept { return messages == 0; }
  void add(std::uint64_t size) noexcept {
    ++messages;
    bytes += size;
  }
  Untaken& operator+=(const Untaken& more) noexcept {
    messages += more.messages;
    bytes += more.bytes;
    return *this;
  }
};

/// The loop's half of an endpoint; the user's half is `ucxx::Endpoint`. A passive one has no user's
/// half yet: the peer made its end first. Made, and owned, by `Endpoints`; freed when the user's
/// half, all operations and the link have let go.
class EndpointState {
 public:
  EndpointState(Loop& loop_, bool own_opened_);
  virtual ~EndpointState();
  EndpointState(const EndpointState&) = delete;
  EndpointState& operator=(const EndpointState&) = delete;

  Loop& loop;
  Inlet* inlet = nullptr;          // of its link; null: it has none yet, or that has gone
  const std::uint64_t key;         // `getHandle`: never used twice in a process
  std::uint64_t id = 0;            // names the pair; chosen by who opened it
  std::uint64_t partner_id = 0;    // of the peer's open, when it met this own one
  bool own_opened;                 // this side chose it
  bool own_pair = false;           // made from its own address: both ends are this one
  std::uint64_t listener = 0;      // opened to this listener of the peer (reached.h); 0: its worker
  std::uint16_t called_port = 0;   // of that listener, or of the one that it came to
  std::uint16_t callers_port = 0;  // it came to a listener: from that port
  bool error_handling = true;

  /// @name Read by any thread
  /// @{
  std::atomic<EndpointPhase> phase{EndpointPhase::Connecting};
  std::atomic<ucs_status_t> error{UCS_OK};
  std::atomic<bool> has_connected{false};  // it has been Open
  std::atomic<std::size_t> canceling{0};
  std::atomic<std::uint32_t> accesses{0};   // on memory that is mapped here; some are not counted
  std::atomic<std::uint64_t> looked_at{0};  // in cycles, whether its owner lives
  std::atomic<std::size_t> queued{0};       // operations that the loop has not seen yet
  std::atomic<bool> owes_count{false};      // it has failed, and `close` has something to tell
  /// @}

  std::string reason;        // more about `error`; written before it is set
  bool has_user = false;     // an Endpoint holds it
  bool has_request = false;  // a connection request holds it
  bool by_name = false;      // which listener it goes to, the peer's door says
  bool listed = false;       // in the link's tables
  bool is_cut_off = false;   // it has ended before all that was sent on it was
  bool recalls = false;      // when it has not closed in time, what nobody has taken
  bool revokes = false;      // what nobody has taken ends without waiting for the peer's answer
  bool peer_closes = false;  // the peer closes too, and waits for its own sends
  /// Which sends that fail are counted for `close`: those that nobody holds any more, so that
  /// nobody hears of them; from `close` on all of them; none more after they were counted at
  /// once (Counted), or their number was told.
  enum class Counting : std::uint8_t {
    Forgotten,
    All,
    Counted,
    None
  } counting = Counting::Forgotten;
  Untaken lost;                  // counted so far
  std::weak_ptr<Endpoint> user;  // for callbacks
  EndpointCloseCallbackUserFunction close_callback;
  EndpointCloseCallbackUserData close_data;

  // Every operation that has not ended, in the order of posting; sends apart, for flushes.
  PendingList sends;
  PendingList others;
  PendingList armed;  // not started yet; neither flushes nor closes wait for them
  struct ReleasePost final : Post {
    explicit ReleasePost(EndpointState& endpoint_) noexcept;
    EndpointState& endpoint;
  } release_post{*this};  // of its user, who may have no memory for one

  WaitList before_link;  // sends until the link is up
  WaitList flushes;      // flushes and closes that wait for sends before them
  WaitList am_receives;
  MessageList am_messages;
  std::uint64_t am_arrivals = 0;       // the number of the last of them
  MessageList am_held;                 // for registered receivers, until the link's intake has room
  std::shared_ptr<Standing> standing;  // null: multi-buffer messages wait for their receives
  EndpointPlans plans;
  WaitList stream_receives;
  MessageList stream_messages;
  std::uint64_t stream_taken = 0;  // bytes of the stream that receives have, or are getting
  Deadline close_deadline;         // of a close
  /// While the peer is asked whether it has taken what was sent to it.
  struct Recall {
    Deadline deadline;
    std::uint32_t messages;  // that the link had handled when it was asked
  } recall;
  /// While the link calls.
  struct Connect {
    Deadline deadline;
    std::chrono::milliseconds timeout;  // from which that was made
  } connect;
  Review review;  // whether it can be freed

  void connectWithin(std::chrono::milliseconds timeout) noexcept {
    connect.timeout = timeout;
    connect.deadline.set(base::deadlineAfter(timeout));
  }
  void giveToUser(bool with_error_handling) noexcept {
    has_user = true;
    error_handling = with_error_handling;
  }
  /// One of `queued` has come to the loop.
  void unqueueOne() noexcept {
    queued.fetch_sub(1, std::memory_order_relaxed);
    if (isOver()) review.ask();
  }
  void becomeOpen() noexcept {
    has_connected.store(true, std::memory_order_relaxed);
    phase = EndpointPhase::Open;
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

 private:
  /// @name What is done when a time of it is over, or after a round that it asked for
  /// @{
  virtual void onCloseLate() noexcept = 0;
  virtual void onRecallUnanswered() noexcept = 0;
  virtual void onConnectLate() noexcept = 0;
  virtual void onReviewDue() noexcept = 0;
  /// @}
};

/// More about the end of `endpoint`, which comes now. Out of memory the status has to do.
void tellWhy(EndpointState& endpoint, std::string_view reason) noexcept;

/// Messages that came to it and that no receive has taken: nobody will.
void discardMessages(EndpointState& endpoint) noexcept;

}  // namespace ucxx::core
