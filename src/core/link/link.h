// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ucxx/report.h>

#include "base/completion.h"
#include "core/bulk/assembly.h"
#include "core/bulk/bulk_memory.h"
#include "core/bulk/copies.h"
#include "core/bulk/helps.h"
#include "core/bulk/incoming_payloads.h"
#include "core/bulk/offers.h"
#include "core/channel/credit.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/calling.h"
#include "core/link/goodbye.h"
#include "core/link/link_copying.h"
#include "core/link/order.h"
#include "core/link/pairs.h"
#include "core/link/recalls.h"
#include "core/link/stillness.h"
#include "core/link/ucx_beside.h"
#include "core/loop/deadlines.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/onesided/accesses.h"
#include "core/onesided/served.h"
#include "core/plan/plans.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"
#include "door/door.h"
#include "door/hello.h"
#include "local/channel.h"
#include "ucp/worker.h"

namespace ucxx::core {

class Loop;
struct Operation;
struct SmallMessage;

/// What joins two workers: the door's socket (liveness) and a channel (data), with one order of
/// messages in each direction, shared by all endpoints between the two. Owned by `Links`.
class Link final : public Inlet {
 public:
  Link(Loop& loop, ChannelKind channel);
  ~Link() override;

  /// @name Endpoints and pairs (link_pairs.cpp)
  /// @{
  /// Takes in an endpoint of this side; opens it at the peer now or when the link is up.
  void adopt(EndpointState& endpoint);
  /// The link is up: opens what waited for it.
  void openAll();
  /// Lists it under its id.
  void list(EndpointState& endpoint);
  /// Forgets an endpoint that is over.
  void drop(EndpointState& endpoint) noexcept;
  void onOpen(const Incoming& message);
  Pairs& pairs() noexcept { return pairs_; }
  const Pairs& pairs() const noexcept { return pairs_; }
  /// @}

  /// @name Life (link_life.cpp)
  /// @{
  /// The door agreed: the peer is `hello`; without `local_channel` its messages go by UCX. Throws
  /// what UCX throws.
  void prepare(const door::Hello& hello, std::unique_ptr<door::Connection> connection,
               std::unique_ptr<local::Channel> local_channel, std::uint64_t own_name,
               bool own_call);
  /// What the peer will call it from now on; not while it is up.
  void rename(std::uint64_t new_own_name) noexcept;
  /// Acts upon what has happened to it in a round.
  void act() noexcept;
  bool isStaying() const noexcept;  ///< up, and nothing ends it
  bool mayFetchAhead() const noexcept override { return isStaying() && !is_gone; }
  EndpointState* findEndpoint(const WireHeader& header) const noexcept override {
    return pairs_.find(header.endpoint,
                       header.sender_opened == 0);  // whose id it is, the sender says
  }
  /// New endpoints may go over it: its caller, if it is the peer, has said something.
  bool isUsable() const noexcept { return caller_heard_ && isStaying(); }
  /// Ends it without failures; pending UCX operations are cut.
  void end() noexcept;
  bool isRemovable() const noexcept;
  bool isHeard() const noexcept { return caller_heard_; }
  std::uint32_t messagesHandled() const noexcept { return order_.next(); }
  /// Makes its end of UCX. Throws what UCX throws.
  void makeUcp(std::span<const std::byte> address);
  /// Requests that depend on the peer are pending.
  bool isExpecting() const noexcept;
  /// @}

  /// @name Sending (link_send.cpp)
  /// @{
  /// Sends a transfer: whole, in fragments, or announced; or keeps it until the link
  /// is up, or the peer has room for announcements.
  void send(Operation& op);
  /// A small message that can be handed over at once: to the ring, or a receive of this worker
  /// (at_once.h). False: it cannot, nothing has happened.
  template <MessageKind kKind>
  bool sendAtOnce(EndpointState& endpoint, const SmallMessage& message);
  const Offers& offers() const noexcept { return offers_; }
  Accesses& accesses() noexcept { return accesses_; }
  Plans& plans() noexcept { return plans_; }
  /// One more announced message of `op`: a large frame of a multi-buffer transfer.
  void sendFrame(Operation& op, const void* buffer, const FrameInfo& frame, std::uint64_t argument);
  /// Sends wait until the peer has fetched what was announced, or for the end of the link. Not for
  /// a link of a worker with itself, which announces nothing, and has no credit.
  bool isHoldingSends() const noexcept {
    return !send_credit_.mayAnnounce() || ucx_status != UCS_OK;
  }
  void sendWaiting();
  /// Takes back a transfer that `send` keeps.
  void withdraw(Operation& op) noexcept;
  void announcementEnded(Operation* op, ucs_status_t status) noexcept override;
  Recalls& recalls() noexcept { return recalls_; }
  /// @}

  /// @name Receiving (link_receive.cpp)
  /// @{
  void onMessage(const WireHeader& header, std::span<const std::byte> prologue,
                 const ucp::Payload& payload);
  /// A small message that comes through the ring, has its turn and a receive that waits for it.
  /// False: it is another one, nothing has happened.
  bool takeAtOnce(std::span<const std::byte> header, std::span<const std::byte> payload);
  /// Takes a fragment that comes through the ring, the first one or a later one. False: it is none,
  /// nothing has happened.
  bool takePart(std::span<const std::byte> header, std::span<const std::byte> payload);
  /// Behind a message that `takeAtOnce` has not taken: whether it may take the next one. It may
  /// while the link is up, nothing has come early, and no fragments are missing.
  void noteUsual() noexcept {
    takes_usual = order_.isEmpty() && isSending() && caller_heard_ && !assembly_.isActive();
  }
  void handle(Incoming& message) override;
  /// Such a message may come by UCX.
  bool takesFromUcx(MessageKind kind) const noexcept;
  const SendCredit& sendCredit() const noexcept { return send_credit_; }
  /// @}

  /// @name Payloads that come
  /// @{
  /// Copies between the memories of both processes, `kCopiedAtOnce` bytes at most. True:
  /// something has moved.
  bool copy();
  /// There is nothing to copy now.
  bool isCopyingQuiet() noexcept {
    return helps_.empty() && incoming_.copies.isQuiet() && accesses_.isQuiet() &&
           (!plans_.areKept() || plans_.mayPeerWrite());
  }
  void abandonCopies() noexcept {
    incoming_.copies.abandon();
    closeLocal();
  }
  bool isCopying() const noexcept { return mayBeTouched() || !accesses_.empty(); }
  /// Copies of which the peer has a part, and plans of a link that has ended.
  bool mayBeTouched() const noexcept {
    return !helps_.empty() || !incoming_.copies.empty() || plans_.areKept();
  }
  /// Receives of `endpoint`, which is over, end: what still comes for them goes nowhere. Those that
  /// UCX writes to end by themselves.
  void revokeReceives(const EndpointState& endpoint) noexcept;
  void beginCopying() noexcept override { copying.begin(); }
  /// @}

  LinkCopying copying{*this};
  Calling calling{*this};
  Goodbye goodbye{*this};
  Deadline drain_deadline;  // the peer has gone: whether all that it had sent has come
  Stillness stillness{*this};
  BulkMemory bulk_memory{*this};
  std::uint64_t own_name = 0;  // what the peer calls the link in its headers
  bool own_call = true;        // this worker called
  std::unique_ptr<door::Connection> connection;
  ucs_status_t lost_status = UCS_OK;   // what it ends with when it is drained
  bool is_gone = false;                // the peer: the door's socket ended
  std::uint32_t messages_at_look = 0;  // that had come when it was looked at last
  PeerCounters counters;
  bool needs_ucx = false;  // the loop counts it

 private:
  struct ClosingUcp final : base::Completion {
    Link* link = nullptr;
  };

  void onReviewDue() override;
  void ucxLost(ucs_status_t status) noexcept override;
  void goodbyeAnswered() noexcept override { goodbye.onAnswerSent(); }
  void open(EndpointState& endpoint);
  void begin(EndpointState& endpoint);
  void merge(EndpointState& passive, EndpointState& endpoint);
  void sendInTurn(Operation& op);
  void begin(Operation& op);
  void countSent(std::size_t size) noexcept;
  void countReceived(std::size_t size) noexcept;
  bool isOfEndedPlan(const Operation& op) const noexcept;
  void sendNow(Operation& op);
  void sendSelf(Operation& op);
  void handToSelf(Operation& op);
  struct Transmission;
  void handTo(Operation& receive, const WireHeader& header, std::span<const std::byte> payload);
  bool takeFragment(std::uint64_t offset, std::span<const std::byte> payload);
  bool takeStreamAtOnce(const HeaderWords& words, std::span<const std::byte> payload);
  bool takeMultiAtOnce(const HeaderWords& words, std::span<const std::byte> payload);
  bool takeAmAtOnce(std::span<const std::byte> header, std::span<const std::byte> payload);
  void tookAtOnce(std::size_t size, std::size_t cost) noexcept;
  template <MessageKind kKind>
  bool putAtOnce(EndpointState& endpoint, const SmallMessage& message, std::size_t prologue);
  bool putInFragments(EndpointState& endpoint, const void* buffer, std::size_t size,
                      std::uint64_t tag);
  bool giveToSelf(const void* buffer, std::size_t size, std::uint64_t tag);
  void sendWhole(Operation& op);
  void sendRest(Operation& op, std::size_t offset);
  void announce(Operation& op);
  void sendFirst(Operation& op, const void* bytes, std::size_t size);
  std::span<const std::byte> offer(Operation& op, WireHeader& header,
                                   std::span<const ucp_dt_iov_t> blocks, bool on_device);
  ucs_status_t transmitFirst(Operation& op, std::span<const std::byte> header, const void* bytes,
                             std::size_t size);
  void transmit(Operation& op, const WireHeader& header, const void* buffer, std::size_t size,
                Carrier carrier);
  bool isOwedUcp() const noexcept { return !callers_address_.empty(); }
  void meetCaller();
  void onCallerHeard(MessageKind first);
  void handleInTurn(const WireHeader& header, std::span<const std::byte> prologue,
                    const ucp::Payload& payload);
  void takePiece(const WireHeader& header, const ucp::Payload& payload);
  void takeByUcx(const WireHeader& header, const ucp::Payload& payload);
  void keepForTurn(const WireHeader& header, std::span<const std::byte> prologue,
                   const ucp::Payload& payload);
  void handleEarly();
  ucs_status_t account(const WireHeader& header, std::size_t prologue, const ucp::Payload& payload);
  ucs_status_t accountAnnouncement(const WireHeader& header, const ucp::Payload& payload);
  void dispatch(const Incoming& message);
  void onEndpointControl(MessageKind kind, EndpointState& endpoint);
  bool onOfferWord(MessageKind kind, std::uint64_t number);
  bool onGone(std::uint64_t argument) noexcept;
  bool onDeviceWord(const WireHeader& header);
  bool onHelp(const WireHeader& header);
  void onAccess(const Incoming& message);
  Announcement announcementIn(const WireHeader& header, const ucp::Payload& payload) noexcept;
  void closeUcp() noexcept;
  void closeLocal() noexcept;
  void drop(const ucp::Payload& payload) noexcept;
  void forgetMessages() noexcept;

  Order order_;  // of the peer's
  SendCredit send_credit_;
  Helps helps_{*this};
  Offers offers_{*this, helps_};
  Recalls recalls_{*this, offers_, recallable_};
  UcxBeside ucx_beside_{*this, offers_};
  Accesses accesses_{*this};
  Served served_{*this};
  Plans plans_{*this};
  WaitList waiting_;  // sends held back by the limit on announcements, or until UCX is there
  Pairs pairs_;
  bool caller_heard_ = true;
  bool closing_ucp_ = false;
  ClosingUcp closing_;
  std::vector<std::byte> callers_address_;  // of UCX, until it is heard
};

/// Every port is that of a link.
inline Link& linkOf(Port& port) noexcept { return static_cast<Link&>(port); }
/// Null: the endpoint has no link yet, or that has gone.
inline Link* linkOf(const EndpointState& endpoint) noexcept {
  return static_cast<Link*>(endpoint.inlet);
}

}  // namespace ucxx::core
