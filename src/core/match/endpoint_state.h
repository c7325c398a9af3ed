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
#include "core/loop/deadlines.h"
#include "core/loop/post.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_plans.h"
#include "core/match/message.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"

namespace ucxx::core {

class Inlet;
class Loop;

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
class EndpointState : public EndpointCore {
 public:
  EndpointState(Loop& loop_, bool own_opened_);
  virtual ~EndpointState() = default;

  Inlet* inlet = nullptr;          // of its link; null: it has none yet, or that has gone
  std::uint64_t partner_id = 0;    // of the peer's open, when it met this own one
  std::uint64_t listener = 0;      // opened to this listener of the peer (reached.h); 0: its worker
  std::uint16_t called_port = 0;   // of that listener, or of the one that it came to
  std::uint16_t callers_port = 0;  // it came to a listener: from that port
  bool error_handling = true;

  /// @name Read by any thread
  /// @{
  std::atomic<bool> has_connected{false};   // it has been Open
  std::atomic<std::uint32_t> accesses{0};   // on memory that is mapped here; some are not counted
  std::atomic<std::uint64_t> looked_at{0};  // in cycles, whether its owner lives
  std::atomic<bool> owes_count{false};      // it has failed, and `close` has something to tell
  /// @}

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

  struct ReleasePost final : Post {
    explicit ReleasePost(EndpointState& endpoint_) noexcept;
    EndpointState& endpoint;
  } release_post{*this};  // of its user, who may have no memory for one

  WaitList before_link;  // sends until the link is up
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

  void connectWithin(std::chrono::milliseconds timeout) noexcept {
    connect.timeout = timeout;
    connect.deadline.set(base::deadlineAfter(timeout));
  }
  void giveToUser(bool with_error_handling) noexcept {
    has_user = true;
    error_handling = with_error_handling;
  }
  void becomeOpen() noexcept {
    has_connected.store(true, std::memory_order_relaxed);
    phase = EndpointPhase::Open;
  }

 private:
  /// @name What is done when one of its times is over
  /// @{
  virtual void onRecallUnanswered() noexcept = 0;
  virtual void onConnectLate() noexcept = 0;
  /// @}
};

/// The endpoint of `op`, which has one: every core is that of an `EndpointState`.
inline EndpointState& endpointOf(const Operation& op) noexcept {
  return static_cast<EndpointState&>(*op.endpoint);
}

/// More about the end of `endpoint`, which comes now. Out of memory the status has to do.
void tellWhy(EndpointState& endpoint, std::string_view reason) noexcept;

/// Messages that came to it and that no receive has taken: nobody will.
void discardMessages(EndpointState& endpoint) noexcept;

}  // namespace ucxx::core
