// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ucxx/explanation.h>
#include <ucxx/report.h>

#include "base/clock.h"
#include "base/completion.h"
#include "base/copying.h"
#include "base/id128.h"
#include "base/seeded_hash.h"
#include "core/bulk/assembly.h"
#include "core/bulk/copies.h"
#include "core/bulk/device_fetches.h"
#include "core/bulk/grants.h"
#include "core/bulk/helps.h"
#include "core/bulk/offers.h"
#include "core/bulk/ways.h"
#include "core/channel/link_types.h"
#include "core/link/closed_pairs.h"
#include "core/link/endpoint_state.h"
#include "core/loop/deadlines.h"
#include "core/loop/reviews.h"
#include "core/loop/watch.h"
#include "core/match/ahead.h"
#include "core/match/intake.h"
#include "core/match/message.h"
#include "core/onesided/accesses.h"
#include "core/onesided/served.h"
#include "core/plan/plans.h"
#include "core/request/device_copies.h"
#include "core/wire/wire.h"
#include "door/door.h"
#include "door/hello.h"
#include "local/channel.h"
#include "local/chunks.h"
#include "local/claims.h"
#include "ucp/worker.h"

namespace ucxx::core {

class Loop;
struct Fetch;
struct Operation;
struct SmallMessage;

/// When a link that calls, or waits for its caller, has done so, and will go on.
struct CallTimes {
  explicit CallTimes(Link& link) noexcept;

  base::TimePoint called_at{};
  base::Duration retry_after{};  // the last time
  base::TimePoint retry_at = base::TimePoint::max();
  base::TimePoint give_up_at = base::TimePoint::max();
  Deadline next;  // the earlier one of `retry_at` and `give_up_at`, while the link waits for it
};

/// Has each round move what a link copies between the memories of two processes.
class LinkCopying final : public Watched {
 public:
  explicit LinkCopying(Link& link) noexcept;
  /// From now on there is something to copy, or will be when the peer has done its part.
  void begin() noexcept {
    if (!isWatching()) beginWatching();
  }
  bool look() override;
  bool maySleep() noexcept override;
  bool changesInSilence() const noexcept override { return false; }

 private:
  Link& link_;
};

/// What joins two workers: the door's socket (liveness) and a channel (data), with one order of
/// messages in each direction, shared by all endpoints between the two. Owned by `Links`.
class Link {
 public:
  enum class State : std::uint8_t { Connecting, Up, Ended };

  Link(Loop& loop, ChannelKind channel);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// @name Endpoints and pairs (pairs.cpp)
  /// @{
  /// Takes in an own endpoint; opens it at the peer now or when the link is up.
  void adopt(EndpointState& endpoint);
  /// The link is up: opens what waited for it.
  void openAll();
  /// Lists it under its id.
  void list(EndpointState& endpoint);
  /// Forgets an endpoint that is over.
  void drop(EndpointState& endpoint) noexcept;
  EndpointState* find(std::uint64_t id, bool own_opened) const noexcept;
  EndpointState* unadopted() noexcept;  ///< the oldest passive endpoint for the worker itself
  void onOpen(const Incoming& message);
  void onOpened(std::uint64_t id);
  std::size_t endpointCount() const noexcept { return own_.size() + peers_.size(); }
  std::vector<EndpointState*> endpoints() const;
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
  /// The peer is gone or misbehaved: every endpoint and request on the link ends, after this round.
  void fail(ucs_status_t status) noexcept;
  /// Nothing has been on it for a while: ask the peer whether the link may end.
  void maybeSayBye();
  /// From now on it does not wait for anybody who may need it.
  void stopLingering() noexcept;
  /// Nothing is on it, and it waits for somebody who needs it.
  bool isLingering() const noexcept { return linger_deadline.isSet(); }
  void onBye(std::uint64_t number);
  void onByeAnswer(std::uint64_t number) noexcept;
  /// Sends of an endpoint that was closed by force are still in flight: they end with the link when
  /// nothing else needs that and nothing moves any more (link_cut.cpp).
  void cutWhenStill() noexcept;
  void cutIfStill() noexcept;
  /// The bulk ring has memory: it is given back when nothing has gone through it for a while.
  void watchBulkMemory() noexcept;
  void giveBackBulkMemory() noexcept;
  /// Acts upon what has happened to it in a round.
  void onReview() noexcept;
  bool isStaying() const noexcept;  ///< up, and nothing ends it
  bool isSending() const noexcept { return state == State::Up && failing == UCS_OK; }
  /// New endpoints may go over it: its caller, if it is the peer, has said something.
  bool isUsable() const noexcept { return caller_heard_ && isStaying(); }
  /// Ends it without failures; pending UCX operations are cut.
  void end() noexcept;
  bool isRemovable() const noexcept;
  bool isHeard() const noexcept { return caller_heard_; }
  std::uint32_t messagesHandled() const noexcept { return expected_sequence_; }
  /// Requests that depend on the peer are pending.
  bool isExpecting() const noexcept;
  /// @}

  /// @name Names by which the peer was called (meeting_again.cpp)
  /// @{
  /// Addresses "ip:port" led to this listener of the peer (reached.h).
  void remember(const std::vector<std::string>& name, std::uint64_t listener) noexcept;
  void forget(const std::vector<std::string>& name) noexcept;
  std::optional<std::uint64_t> listenerAt(const std::vector<std::string>& name) const noexcept;
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
  /// So much of a put or get goes in one message.
  std::size_t pieceBytes() const noexcept { return fragments_.each; }
  Accesses& accesses() noexcept { return accesses_; }
  Plans& plans() noexcept { return plans_; }
  /// One more announced message of `op`: a large frame of a multi-buffer transfer.
  void sendFrame(Operation& op, const void* buffer, const FrameInfo& frame, std::uint64_t argument);
  void sendControl(MessageKind kind, const EndpointState& endpoint, std::uint64_t argument = 0);
  void sendControl(MessageKind kind, std::uint64_t argument = 0);
  /// `payload` stays for ever.
  void sendControl(const WireHeader& header, std::span<const std::byte> payload = {});
  /// Control messages wait for room.
  bool isHoldingControls() const noexcept { return controls_ != 0; }
  void sendWaiting();
  /// Takes back a transfer that `send` keeps.
  void withdraw(Operation& op) noexcept;
  /// The header of what is sent next.
  WireHeader headerFor(MessageKind kind, const EndpointState* endpoint, std::uint64_t argument,
                       std::uint64_t length);
  WireHeader headerOfPiece(std::uint64_t number, std::uint64_t length);
  WireHeader headerOfPayload(std::uint64_t number, std::uint64_t length);
  /// Gives a message to its carrier; `header` and payload stay untouched until it ends, at once or,
  /// with INPROGRESS, as `completion` is told.
  ucs_status_t put(std::span<const std::byte> header, const void* buffer, std::size_t size,
                   Carrier carrier, base::Completion& completion, std::optional<Way> fragment = {});
  ucs_status_t put(std::span<const std::byte> header, std::span<const ucp_dt_iov_t> blocks,
                   Carrier carrier, base::Completion& completion);
  /// How a fragment of a payload of such a size is written to the bulk ring; none: it is no
  /// fragment, or there is no such ring.
  std::optional<Way> fragmentWayOf(std::size_t size) const noexcept;
  /// Gives a message to the ring; header and payload need not stay.
  ucs_status_t putCopy(std::span<const std::byte> header, const void* buffer, std::size_t size);
  /// Pushes out what its carriers still hold, as far as they can tell.
  ucs_status_t flush(base::Completion& completion);
  /// A message that was not announced has ended with `status`: what its sender is told. The link
  /// fails with it, for what comes behind it would never have its turn.
  ucs_status_t sendEnded(ucs_status_t status) noexcept;
  /// A part of `op` whose payload was announced: it was sent, dropped, or never will be.
  void announcedSendEnded(Operation& op, ucs_status_t status) noexcept;
  /// An announcement of ours is over.
  void announcementEnded() noexcept;
  /// Nothing is copied for announcement `number` of ours any more.
  void stopHelping(std::uint64_t number) noexcept { helps_.remove(number); }
  /// @}

  /// @name Messages that have left without their payload, and are to be the sender's again
  /// (link_recall.cpp)
  /// @{
  /// `op` ends with `status` if nobody has begun to take it. False: it has not ended; where only
  /// its receiver can tell, that is asked.
  bool recall(Operation& op, ucs_status_t status) noexcept;
  /// The peer has had the time to answer for sends of `endpoint`: they end if it has said nothing
  /// at all.
  void endUnanswered(EndpointState& endpoint) noexcept;
  /// From now on a message of the peer's with this claim is ours. False: the peer has recalled it.
  bool mayTake(local::Claim claim) noexcept {
    return claim == 0 || local == nullptr || local::take(local->peerEnd().claims, claim);
  }
  bool isRecalled(local::Claim claim) const noexcept {
    return local != nullptr && local::isRecalled(local->peerEnd().claims, claim);
  }
  bool leavesGap(local::Claim claim) const noexcept {
    return local != nullptr && claim != 0 && local::leavesGap(local->peerEnd().claims, claim);
  }
  /// A message is kept that may be recalled; until it is unlisted.
  void listKept(Message& message);
  /// A listed message is kept in this queue, not in a matcher.
  void noteQueue(MessageList& queue, const Message& message) noexcept;
  void unlistKept(Message& message) noexcept;
  /// `message` has no receive, and its payload, which was to come all the same, does not.
  void dropTakenBack(const Message& message) noexcept;
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
  /// Behind what `takeAtOnce` has not taken: whether it may take the next message.
  void noteUsual() noexcept {
    takes_usual_ = stash_.empty() && isSending() && caller_heard_ && !assembly.isActive();
  }
  /// From now on, until `noteUsual`, it may not.
  void becomeUnusual() noexcept { takes_usual_ = false; }
  /// In its turn.
  void handle(Incoming& message);
  Intake& intake() noexcept { return intake_; }
  /// Nobody will take `message`: its announcement is dropped, its credit returned, and what follows
  /// it is refused, too.
  void refuse(const Incoming& message);
  void dropFrame(const LargeFrame& frame) noexcept;
  void refuseFrames(std::uint32_t sequence) noexcept;
  void beginMulti(const WireHeader& header);
  OpenMulti* openMulti(std::uint32_t sequence) noexcept;
  /// A message of this cost was consumed: the sender may send that much more.
  void returnCredit(std::size_t cost);
  /// @}

  /// @name Payloads that come (link_fetch.cpp; `copy`: link_life.cpp)
  /// @{
  /// Gets the bytes of an announcement into `op` (its buffer), as a part of it.
  void fetch(Operation& op, const Announcement& announcement, void* buffer, std::size_t size);
  /// Gets the bytes of the oldest piece of a stream.
  void fetchPiece(EndpointState& endpoint, Message& piece, void* buffer);
  /// A buffer gets the bytes of an announcement.
  void startFetch(Fetch& fetch, const Announcement& announcement, void* buffer, std::size_t size);
  /// Asks the peer for these bytes, now or when the gate opens.
  void ask(Fetch& fetch, const Announcement& announcement, void* buffer, std::size_t size);
  void askBehind(std::shared_ptr<CopyGate> gate, Fetch& fetch, const Announcement& announcement,
                 void* buffer, std::size_t size);
  void fetchEnded(const Fetch& fetch, bool whole) noexcept;
  /// Payloads come that receives wait for.
  bool isFetchingForReceives() const noexcept { return fetches_ != ahead_fetches_; }
  /// A receive waits for this fetch.
  static bool isForReceive(const base::Completion& fetch) noexcept;
  Ahead& ahead() noexcept { return ahead_; }
  const Ahead& ahead() const noexcept { return ahead_; }
  void considerFrames(std::uint32_t sequence) noexcept;
  /// Bytes that have come by the channel go to their place; `whole`: the payload they are a part
  /// of.
  [[gnu::always_inline]] void copyIn(void* to, const void* from, std::size_t size,
                                     std::size_t whole) const noexcept {
    if (size == sizeof(std::uint64_t)) [[likely]]
      std::memcpy(to, from, sizeof(std::uint64_t));
    else
      copyLong(to, from, size, whole);
  }
  /// Bytes of a fetch have come through the channel.
  void payloadCame(const base::Completion& fetch, const void* bytes, std::size_t size) noexcept;
  Ways& ways() noexcept { return ways_; }
  /// The payload of an announcement of the peer comes through the channel.
  void fetchInPieces(std::uint64_t number, void* buffer, std::size_t size,
                     base::Completion& completion);
  /// A copy is not possible any more: it is fetched from the beginning.
  void copyFailed(std::uint64_t number, void* buffer, std::size_t size, base::Completion& fetch);
  /// Copies between the memories of both processes, `kCopiedAtOnce` bytes at most. True:
  /// something has moved.
  bool copy();
  /// There is nothing to copy now.
  bool isCopyingQuiet() noexcept {
    return helps_.empty() && copies_.isQuiet() && accesses_.isQuiet() &&
           (!plans_.areKept() || plans_.mayPeerWrite());
  }
  void abandonCopies() noexcept {
    copies_.abandon();
    closeLocal();
  }
  bool isCopying() const noexcept { return mayBeTouched() || !accesses_.empty(); }
  /// Copies of which the peer has a part, and plans of a link that has ended.
  bool mayBeTouched() const noexcept {
    return !helps_.empty() || !copies_.empty() || plans_.areKept();
  }
  /// Receives of `endpoint`, which is over, end: what still comes for them goes nowhere. Those that
  /// UCX writes to end by themselves.
  void revokeReceives(const EndpointState& endpoint) noexcept;
  /// Nobody wants what `op` waits for behind its gate.
  void turnBack(Operation& op) noexcept { device_fetches_.turnBack(op); }
  void dropAnnouncement(const Announcement& announcement) noexcept;
  /// Drops an announcement with which a fetch has begun.
  void dropPayload(const Announcement& announcement) noexcept;
  /// @}

  /// How a tag message of one block would go now (explain.cpp).
  Explanation explain(std::size_t size, bool on_device);
  /// The processor of this side can copy memory of the peer that is `address`, and `size` bytes.
  bool canRead(std::uint64_t address, std::size_t size) const noexcept;
  /// The processor of this side can copy what the peer has staged for it.
  bool canReadStaged() const noexcept;
  bool mayFetchByUcx() const noexcept;

  /// @name UCX beside the local channel (link_ucx.cpp)
  /// @{
  /// Such a message may come by UCX.
  bool takesFromUcx(MessageKind kind) const noexcept;
  /// @}

  Loop& loop;
  // What others may still tell while the rest of the link goes.
  Review review;  // after a round in which something has happened to the link
  LinkCopying copying{*this};
  CallTimes times{*this};
  Deadline drain_deadline;   // the peer has gone: whether all that it had sent has come
  Deadline cut_deadline;     // whether nothing moves, so that the link may be cut
  Deadline bulk_deadline;    // whether memory of the bulk ring is idle
  Deadline linger_deadline;  // nothing is on the link: goodbye then
  ChannelKind channel;
  State state = State::Connecting;
  base::Id128 peer;                 // worker; zero until known
  bool target_known = false;        // the worker that is called, before it has answered
  std::uint64_t own_name = 0;       // what the peer calls the link in its headers
  std::uint64_t peer_name = 0;      // what it is called in headers to the peer
  bool own_call = true;             // this worker called
  std::vector<std::string> routes;  // "ip:port" of the addresses it was called by
  door::Call* call = nullptr;
  std::vector<door::SocketAddress> addresses;
  LocalRoute route;
  bool is_unwanted = false;  // it calls, and the last that waited for it has ended
  bool knocks = false;       // calls without a UCX address: the peer may be near
  /// By which other link it asks for a listener before it calls the door.
  struct Asking {
    Link* over = nullptr;  // null: it does not
    std::uint64_t number = 0;
  };
  Asking asks;
  std::unique_ptr<door::Connection> connection;
  std::unique_ptr<ucp::Endpoint> ucp;
  std::unique_ptr<local::Channel> local;
  ucs_status_t error = UCS_OK;
  std::string failure;                 // more about it, for people
  ucs_status_t failing = UCS_OK;       // to be acted upon after this round
  ucs_status_t lost_status = UCS_OK;   // what it ends with when it is drained
  ucs_status_t ucx_status = UCS_OK;    // what UCX beside the ring ended with
  bool is_gone = false;                // the peer: the door's socket ended
  std::uint32_t messages_at_look = 0;  // that had come when it was looked at last
  std::size_t pending_parts = 0;       // operations of the channel, not ended: see partEnded
  std::size_t announced = 0;           // announcements of this side that the peer has not fetched
  PeerCounters counters;
  bool needs_ucx = false;  // the loop counts it

  std::map<std::uint64_t, LargeFrame> frames;  // by sequence << 32 | index
  ClosedPairs closed;                          // of standing receives
  Assembly assembly{*this};

 private:
  friend struct Fetch;
  /// A message that came before its turn.
  struct Stashed {
    WireHeader header;
    std::vector<std::byte> prologue;
    std::vector<std::byte> bytes;
    ucp::Payload payload;
    std::size_t cost = 0;  // of all that may wait here
    bool is_announced = false;
  };
  /// An open of ours whose partner is not known yet.
  struct Unpaired {
    std::uint64_t id = 0;
    EndpointState* endpoint = nullptr;  // null: closed meanwhile; it takes its partner with it
  };
  struct Called {
    std::vector<std::string> name;
    std::uint64_t listener = 0;
  };
  /// Consumed credit goes back in so many parts.
  static constexpr std::size_t kCreditReturns = 4;
  struct ClosingUcp final : base::Completion {
    Link* link = nullptr;
  };
  using EndpointTable = std::unordered_map<std::uint64_t, EndpointState*, base::SeededHash>;

  void chooseFragments();
  void open(EndpointState& endpoint);
  void begin(EndpointState& endpoint);
  void merge(EndpointState& passive, EndpointState& endpoint);
  void sendInTurn(Operation& op);
  void begin(Operation& op);
  void copyLong(void* to, const void* from, std::size_t size, std::size_t whole) const noexcept;
  void countSent(std::size_t size) noexcept;
  void countReceived(std::size_t size) noexcept;
  bool isOfEndedPlan(const Operation& op) const noexcept;
  void sendNow(Operation& op);
  const Fragments& fragmentsFor(const Operation& op) const noexcept;
  std::size_t mostEager(const Operation& op) const noexcept;
  bool isForBulk(const Operation& op) const noexcept;
  std::size_t fragmentOf(const Operation& op) const noexcept;
  bool isEager(const Operation& op) noexcept;
  bool mayGoInBulk(const void* buffer, std::size_t size) noexcept;
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
  bool isAnnouncedByUcx(const Operation& op) const noexcept;
  Carrier carrierOf(const Operation& op) const noexcept;
  void sendFirst(Operation& op, const void* bytes, std::size_t size);
  local::Claim claimFor(const Operation& op, bool eager);
  std::span<const std::byte> offer(Operation& op, WireHeader& header,
                                   std::span<const ucp_dt_iov_t> blocks, bool on_device);
  Announces announcesOf(std::span<const ucp_dt_iov_t> blocks) const noexcept;
  void controlEnded(MessageKind kind) noexcept;
  std::size_t mostControls() const noexcept;
  ucs_status_t transmitFirst(Operation& op, std::span<const std::byte> header, const void* bytes,
                             std::size_t size);
  void transmit(Operation* op, const WireHeader& header, const void* buffer, std::size_t size,
                Carrier carrier);
  ucs_status_t given(ucs_status_t status) noexcept;
  void makeUcp(std::span<const std::byte> address);
  bool linger() noexcept;
  bool isOwedUcp() const noexcept { return !callers_address_.empty(); }
  void meetCaller();
  void ucpFailed(ucs_status_t status) noexcept;
  bool sendByUcx(std::uint64_t number);
  bool isHoldingSends() const noexcept {
    return announced >= announcements_allowed_ || ucx_status != UCS_OK;
  }
  void askForUcx();
  void onUcxAsk(const Incoming& message);
  void onUcxAnswer(const Incoming& message);
  void meetByUcx(std::span<const std::byte> address);
  void noUcx(std::string_view why);
  void onCallerHeard(MessageKind first);
  void handleInTurn(const WireHeader& header, std::span<const std::byte> prologue,
                    const ucp::Payload& payload);
  void takePiece(const WireHeader& header, const ucp::Payload& payload);
  void takeByUcx(const WireHeader& header, const ucp::Payload& payload);
  void stash(const WireHeader& header, std::span<const std::byte> prologue,
             const ucp::Payload& payload);
  void unstash();
  ucs_status_t account(const WireHeader& header, std::size_t prologue, const ucp::Payload& payload);
  std::size_t mostAnnouncements() const noexcept;
  ucs_status_t accountAnnouncement(const WireHeader& header, const ucp::Payload& payload);
  void dispatch(const Incoming& message);
  void onEndpointControl(MessageKind kind, EndpointState& endpoint);
  void onCredit(std::uint64_t bytes);
  bool onOfferWord(MessageKind kind, std::uint64_t number);
  void onRecall(std::uint64_t argument) noexcept;
  bool onGone(std::uint64_t argument) noexcept;
  void recallFromPeer(Operation& op, ucs_status_t status) noexcept;
  void recallFromSelf(Operation& op, ucs_status_t status) noexcept;
  bool mayAskFor(const Operation& op) const noexcept;
  bool mayRevoke(const Operation& op) const noexcept;
  void awaitAnswer(EndpointState& endpoint) noexcept;
  struct Kept {
    Message* message = nullptr;
    MessageList* queue = nullptr;  // null: a matcher's
  };
  Kept findKept(std::uint32_t sequence) const noexcept;
  void dropKept(const Kept& kept) noexcept;
  void cutStreamAt(Message& piece) noexcept;
  local::Claim claimIn(const WireHeader& header) const noexcept;
  bool onDeviceWord(const WireHeader& header);
  bool onHelp(const WireHeader& header);
  void onAccess(const Incoming& message);
  Announcement announcementIn(const WireHeader& header, const ucp::Payload& payload) noexcept;
  ucs_status_t askFor(const Announcement& announcement, void* buffer, std::size_t size,
                      Fetch& fetch);
  bool mayCopy() const noexcept;
  bool isOfAnotherProcess() const noexcept;
  Way chooseWay(const Announcement& announcement, void* buffer, std::size_t size,
                Fetch& fetch) noexcept;
  std::string wayBeforeMeeting() const;
  std::string wayToSelf(std::size_t size, Explanation& said) const;
  std::string wayByRing(std::size_t size, Explanation& said);
  std::string wayInRecord(std::size_t size, Explanation& said) const;
  std::string wayInBulk(std::size_t size, Explanation& said);
  std::string wayOfBulk(std::size_t size, Explanation& said);
  std::string wayOfOneSided() const;
  std::string wayFromDevice(std::size_t size, Explanation& said) const;
  std::string wayByUcx(std::size_t size, bool on_device, Explanation& said) const;
  bool hasCreditFor(std::size_t size, Explanation& said) const;
  bool isWithinCredit(std::size_t cost) const noexcept;
  void collect(std::vector<EndpointState*>& endpoints) const;
  /// What changes while the peer takes something.
  struct Motion {
    std::uint32_t messages = 0;
    std::size_t parts = 0;
    std::uint64_t pieces = 0;
    bool operator==(const Motion&) const = default;
  };
  Motion motion() const noexcept;
  void watchMotion() noexcept;
  void closeUcp() noexcept;
  void closeLocal() noexcept;
  void drop(const ucp::Payload& payload) noexcept;
  void forgetMessages() noexcept;
  void endOperations(ucs_status_t status) noexcept;

  std::vector<OpenMulti> open_multis_;   // self: nested ones; else the last that came
  std::uint32_t next_sequence_ = 0;      // of ours
  std::uint32_t expected_sequence_ = 0;  // of the peer
  std::map<std::uint32_t, std::unique_ptr<Stashed>> stash_;
  std::unordered_map<std::uint32_t, Kept> kept_;  // by sequence, what may be recalled
  Fragments fragments_;
  Fragments device_fragments_;  // of what comes from the memory of devices, by UCX
  std::uint64_t granted_ = 0;   // unexpected bytes that the peer takes in all
  std::uint64_t credit_ = 0;    // unexpected bytes that may still be sent
  std::uint32_t announcements_allowed_ = 0;
  std::uint64_t consumed_ = 0;          // consumed and not yet returned to the peer
  std::size_t held_announcements_ = 0;  // of the peer, neither fetched nor dropped
  std::size_t fetches_ = 0;             // of those, on their way
  std::size_t ahead_fetches_ = 0;       // fetches without a receive, on their way
  Offers offers_{*this};
  Grants grants_{*this};
  Ways ways_{*this};
  Ahead ahead_{*this};
  Copies copies_{*this};
  DeviceFetches device_fetches_{*this};
  Helps helps_{*this};
  Accesses accesses_{*this};
  Served served_{*this};
  Plans plans_{*this};
  Intake intake_{*this};
  std::uint64_t unreturned_ = 0;  // received whole, credit not yet returned
  WaitList waiting_;     // sends held back by the limit on announcements, or until UCX is there
  EndpointTable own_;    // opened by us
  EndpointTable peers_;  // opened by the peer
  std::vector<EndpointState*> end_room_;  // for all of these when it ends: nothing fails then
  std::vector<Unpaired> unpaired_;        // own, without a partner, oldest first
  std::vector<EndpointState*> passive_;   // the peer's, not adopted, oldest first
  std::vector<Called> called_;            // by names, oldest first
  std::uint64_t bye_number_ = 0;          // of our last goodbye: older answers mean nothing
  std::uint64_t owed_bye_ = 0;            // of the peer's, not answered yet
  bool answering_bye_ = false;            // an answer is on its way
  std::size_t controls_ = 0;              // of ours, not sent yet
  std::size_t stashed_bytes_ = 0;
  std::size_t stashed_announcements_ = 0;
  bool caller_heard_ = true;
  bool takes_usual_ = false;
  bool may_linger_ = true;
  bool said_bye_ = false;
  bool answered_bye_ = false;
  bool bye_answered_ = false;
  Motion motion_at_look_;
  bool closing_ucp_ = false;
  ClosingUcp closing_;
  std::vector<std::byte> callers_address_;   // of UCX, until it is heard
  bool asked_for_ucx_ = false;               // not answered yet
  std::vector<std::uint64_t> wait_for_ucx_;  // offers of ours
};

/// One of the `pending_parts` of `link` has ended: the last one frees a link that has ended.
inline void partEnded(Link& link) noexcept {
  --link.pending_parts;
  if (link.state == Link::State::Ended) link.review.ask();
}

}  // namespace ucxx::core
