// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <ucxx/buffer.h>

#include "base/clock.h"
#include "base/list.h"
#include "core/loop/deadlines.h"
#include "core/match/message.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"

namespace ucxx::core {

class Ahead;
class EndpointState;
class Inlet;
class Loop;
struct Standing;

/// The payload of one message that no receive has matched: it may be fetched all the same, it
/// comes, or it is here. Of a multi-buffer message first the table comes, if that was announced,
/// then its frames.
struct FetchAhead {
  Ahead* owner = nullptr;           // null: its link has ended
  Message* message = nullptr;       // null: nobody wants it any more
  Operation* receiver = nullptr;    // has taken the message, which waits nowhere else then
  EndpointState* stream = nullptr;  // of which it is a piece
  bool is_coming = false;
  ucs_status_t status = UCS_OK;  // else: it has not come
  base::TimePoint since{};
  std::size_t cost = 0;                // of what may be fetched so
  std::size_t frame_bytes = 0;         // of what is fetched, in large frames
  std::shared_ptr<Standing> standing;  // takes it; null: nobody does, for a while
  std::shared_ptr<Buffer> memory;      // where the bytes of the message are
  std::unique_ptr<Operation> frames;   // receives its large frames
  base::ListNode node;
};

/// The standing receive of an endpoint: its multi-buffer messages are taken as they come, so many
/// bytes at a time, or one message of any size. Shared by the endpoint and what it takes.
struct Standing {
  std::size_t limit = 0;
  std::size_t held = 0;  // comes, or is here for a receive that has not come
  base::List<FetchAhead, &FetchAhead::node> waiting;  // for room, oldest first

  /// `own`: what it holds already of the message that costs `cost` more.
  bool hasRoomFor(std::size_t cost, std::size_t own) const noexcept {
    return limit != 0 && (held == own || (held <= limit && cost <= limit - held));
  }
  /// Begins what waits, as far as there is room.
  void work() noexcept;
};

/// Payloads that are fetched before a receive has matched them, because none has for a while: both
/// sides may send first, and the sender of each ends. So many bytes of a peer are here so, at most,
/// as it may send unexpectedly, and of all peers `WorkerOptions::fetch_ahead_bytes`; what is
/// beyond waits for its receive. Part of a link.
class Ahead {
 public:
  explicit Ahead(Inlet& inlet) noexcept;
  ~Ahead();
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  base::ListNode room_node;  // linked since it waits for room, see `Unexpected`

  /// `message` waits for its receive, and its payload is still with its sender.
  void consider(Message& message, const WireHeader& header,
                EndpointState* stream = nullptr) noexcept;
  /// The table of `message` is here, and frames of it are with their sender.
  void considerFrames(Message& message) noexcept;
  /// `message` waits, or is to be fetched later: it waits for `standing` to take it.
  void considerFor(const std::shared_ptr<Standing>& standing, Message& message) noexcept;
  /// False: `fetch` waits for room in its standing receive, or for the end of the link.
  bool beginStanding(FetchAhead& fetch) noexcept;
  /// `fetch`, which has not begun, waits for the receive of its message.
  void leaveWithSender(FetchAhead& fetch) noexcept;
  bool empty() const noexcept { return waiting_.empty(); }
  /// Begins what has waited long enough, and for which there is room, oldest first.
  void work() noexcept;
  /// There is room, for which it waits: the loop calls `work` when it looks at its deadlines next.
  void lookInTurn() noexcept;
  /// What it has begun is over.
  void ended(FetchAhead& fetch, ucs_status_t status);
  /// Receives of `endpoint` that have taken what still comes end with `status`.
  void revoke(const EndpointState& endpoint, ucs_status_t status);
  /// The link ends: what is here counts no more.
  void letGo(FetchAhead& fetch) noexcept;
  /// The message is not to be fetched any more, or what was fetched has gone.
  void forget(FetchAhead& fetch) noexcept;
  /// What is here, or comes, without a standing receive.
  std::size_t bytes() const noexcept { return used_; }

 private:
  using List = base::List<FetchAhead, &FetchAhead::node>;

  List& waitingOf(const FetchAhead& fetch) noexcept {
    return fetch.standing != nullptr ? fetch.standing->waiting : waiting_;
  }
  void enlist(Message& message, EndpointState* stream) noexcept;
  FetchAhead* attach(Message& message, const std::shared_ptr<Standing>& standing) noexcept;
  void workInTurn();
  void workSoon() noexcept;
  std::size_t limit() const noexcept;
  bool hasRoomFor(std::size_t cost) const noexcept;
  void awaitFrames(FetchAhead& fetch, base::TimePoint now) noexcept;
  void lacksRoom() noexcept;
  bool othersComeFirst() const noexcept;
  void waitsNoMore() noexcept;
  void lookAtRest() noexcept;
  std::optional<std::size_t> costOfAll(const FetchAhead& fetch) const;
  void charge(FetchAhead& fetch, std::size_t cost) noexcept;
  void giveBack(FetchAhead& fetch) noexcept;
  void begin(FetchAhead& fetch, std::size_t cost);
  void beginPayload(FetchAhead& fetch, std::size_t cost);
  void beginFrames(FetchAhead& fetch, std::size_t cost);
  void copyFromSelf(FetchAhead& fetch, std::size_t cost);
  void comes(FetchAhead& fetch, std::size_t cost) noexcept;
  void comesNot(FetchAhead& fetch);
  void endComing(FetchAhead& fetch) noexcept;
  void isHere(FetchAhead& fetch);
  void waitForFrames(FetchAhead& fetch) noexcept;

  Inlet& inlet_;
  List waiting_;  // oldest first
  List coming_;
  std::size_t coming_bytes_ = 0;
  std::size_t used_ = 0;
  bool is_working_ = false;
  bool looks_soon_ = false;  // for room
  Deadline work_deadline_;
};

/// The payload of `message` comes, though no receive has matched it.
inline bool isComing(const Message& message) noexcept {
  return message.ahead != nullptr && message.ahead->is_coming;
}
/// Why it has not come; OK: it has, or nobody has tried.
inline ucs_status_t failureOf(const Message& message) noexcept {
  return message.ahead != nullptr ? message.ahead->status : UCS_OK;
}
/// `message` is gone, or fetched otherwise.
void leaveAhead(Message& message) noexcept;
/// The link of `message` ends: what has come stays.
void loseAhead(Message& message) noexcept;
/// `op` takes `message`, of which all is here or comes. False: that is to be done as usual.
bool takeAhead(Message* message, Operation& op);
void fetchedAhead(FetchAhead& fetch, ucs_status_t status);

// standing.cpp
/// Null: `message` is of no endpoint that has one.
std::shared_ptr<Standing> standingOf(const Loop& loop, const Message& message) noexcept;
/// From now on `endpoint` takes so many bytes of its messages ahead; 0: none, but what it holds
/// stays. Throws `std::bad_alloc`.
void receiveAhead(EndpointState& endpoint, std::size_t bytes);
/// This side has closed `endpoint`: what its standing receive holds, or would take, goes; so does
/// what the peer has sent before it hears of that.
void endStanding(EndpointState& endpoint) noexcept;
/// What came for `from` is `to`'s.
void moveMulti(const EndpointState& from, EndpointState& to) noexcept;

}  // namespace ucxx::core
