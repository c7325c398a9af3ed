// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <cstring>
#include <new>
#include <optional>

#include "base/clock.h"
#include "core/bulk/assembly.h"
#include "core/bulk/device_fetches.h"
#include "core/bulk/grants.h"
#include "core/bulk/help_terms.h"
#include "core/bulk/helps.h"
#include "core/bulk/incoming_payloads.h"
#include "core/bulk/offers.h"
#include "core/channel/channels.h"
#include "core/channel/credit.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/at_once.h"
#include "core/link/calling.h"
#include "core/link/endpoint_end.h"
#include "core/link/flush_close.h"
#include "core/link/goodbye.h"
#include "core/link/link.h"
#include "core/link/order.h"
#include "core/link/pairs.h"
#include "core/link/ucx_beside.h"
#include "core/loop/counters.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/match/recallable_messages.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/onesided/accesses.h"
#include "core/onesided/served.h"
#include "core/plan/plans.h"
#include "core/request/endpoint_core.h"
#include "core/wire/wire.h"
#include "local/claims.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

bool isTransfer(MessageKind kind) noexcept {
  return kind == MessageKind::Tag || kind == MessageKind::Multi || kind == MessageKind::Am ||
         kind == MessageKind::Stream || kind == MessageKind::PlanData;
}

/// Tags and frames are matched without it.
bool namesEndpoint(MessageKind kind) noexcept {
  return kind == MessageKind::Am || kind == MessageKind::Stream || kind == MessageKind::Accept ||
         kind == MessageKind::Reject || kind == MessageKind::Close ||
         kind == MessageKind::Closing || kind == MessageKind::PlanOffer;
}

}  // namespace

void Link::onMessage(const WireHeader& header, std::span<const std::byte> prologue,
                     const ucp::Payload& payload) {
  if (state == State::Ended || failing != UCS_OK) return drop(payload);
  if (header.kind == MessageKind::Piece && local != nullptr) return takePiece(header, payload);
  if (header.kind == MessageKind::UcxPayload) return takeByUcx(header, payload);
  // The peer is up as soon as it has sent its welcome: what it sends then may be quicker.
  if (state == State::Connecting || isOwedUcp() || !order_.isTurn(header.sequence))
    return keepForTurn(header, prologue, payload);
  handleInTurn(header, prologue, payload);
  if (!order_.isEmpty()) handleEarly();
}

void Link::keepForTurn(const WireHeader& header, std::span<const std::byte> prologue,
                       const ucp::Payload& payload) try {
  if (!order_.keep(header, prologue, payload)) {
    drop(payload);
    return fail(UCS_ERR_INVALID_PARAM);
  }
  becomeUnusual();
  if (!order_.isTurn(header.sequence)) loop.counters.reordered_messages.add();
  if (isOwedUcp()) review.ask();
} catch (const std::bad_alloc&) {
  drop(payload);
  fail(UCS_ERR_NO_MEMORY);
}

/// What came early is handled as far as it has its turn.
void Link::handleEarly() {
  while (isSending()) {
    const std::optional<Order::Early> message = order_.release();
    if (!message.has_value()) return;
    handleInTurn(message->header, message->prologue, message->payload());
  }
}

/// A piece may overtake what comes by UCX: its place is known, and the ring keeps the order of
/// pieces.
void Link::takePiece(const WireHeader& header, const ucp::Payload& payload) {
  if (header.announces != 0 || !incoming_.grants.take(header.argument, payload.bytes, payload.size))
    fail(UCS_ERR_INVALID_PARAM);
}

/// Takes a whole payload that UCX brings.
void Link::takeByUcx(const WireHeader& header, const ucp::Payload& payload) {
  const bool is_asked_for =
      payload.announcement != nullptr && payload.size == header.length &&
      incoming_.device_fetches.takeByUcx(header.argument, payload.announcement, payload.size);
  if (is_asked_for) return;
  drop(payload);
  fail(UCS_ERR_INVALID_PARAM);
}

void Link::handleInTurn(const WireHeader& header, std::span<const std::byte> prologue,
                        const ucp::Payload& payload) {
  order_.advance();
  if (!caller_heard_) onCallerHeard(header.kind);
  Incoming message;
  message.header = header;
  message.prologue = prologue;
  message.announcement = announcementIn(header, payload);
  if (!message.announcement) {
    message.bytes = payload.bytes;
    message.size = payload.size;
  }
  message.claim = recallable_.claimIn(header);
  const ucs_status_t status = account(header, prologue.size(), payload);
  if (status == UCS_OK) return handle(message);
  drop(payload);
  fail(status);
}

Announcement Link::announcementIn(const WireHeader& header, const ucp::Payload& payload) noexcept {
  Announcement announcement;
  announcement.ucx = payload.announcement;
  if (header.announces == 0) return announcement;
  announcement.number = incoming_.grants.nextNumber();
  const auto what = static_cast<Announces>(header.announces);
  if (what == Announces::OnDevice) announcement.address = Announcement::kOnDevice;
  if (what == Announces::OnDeviceByHandle) announcement.address = Announcement::kOnDeviceByHandle;
  if (what != Announces::Payload || channel != ChannelKind::Local ||
      payload.size != sizeof announcement.address)
    return announcement;
  std::memcpy(&announcement.address, payload.bytes, payload.size);
  if (!announcement.hasAddress()) announcement.address = Announcement::kNone;
  return announcement;
}

bool Link::takesFromUcx(MessageKind kind) const noexcept {
  const bool is_beside = kind == MessageKind::UcxPayload;
  return local == nullptr ? !is_beside : is_beside && (ucp != nullptr || ucx_beside_.isAsked());
}

void Link::drop(const ucp::Payload& payload) noexcept {
  if (payload.announcement != nullptr) channelsOf(loop).ucp().drop(payload.announcement);
}

/// From now on the link is used: endpoints that call the same peer go over it.
void Link::onCallerHeard(MessageKind first) {
  caller_heard_ = true;
  calling.give_up_at = base::TimePoint::max();
  calling.next_step.clear();
  if (first == MessageKind::Bye) return;
  try {
    linksOf(loop).gatherOn(*this);
  } catch (const std::bad_alloc&) {  // their own calls go on, and find this link
  }
}

/// Checks the sizes that the peer claims and that it keeps to its credit.
ucs_status_t Link::account(const WireHeader& header, std::size_t prologue,
                           const ucp::Payload& payload) {
  const bool announced = payload.announcement != nullptr || header.announces != 0;
  if (recallable_.claimIn(header) > local::ClaimMemory::kClaims) return UCS_ERR_INVALID_PARAM;
  if (header.kind == MessageKind::Fragment || header.kind == MessageKind::Piece)
    return announced ? UCS_ERR_INVALID_PARAM : UCS_OK;  // their sizes have been agreed upon before
  if (assembly_.isActive()) return UCS_ERR_INVALID_PARAM;  // fragments are missing
  if (announced) return accountAnnouncement(header, payload);
  if (header.kind == MessageKind::MultiFrame) return UCS_ERR_INVALID_PARAM;
  if (header.kind == MessageKind::Help || header.kind == MessageKind::Staged)
    return payload.size == 0 && channel == ChannelKind::Local ? UCS_OK : UCS_ERR_INVALID_PARAM;
  if (header.kind == MessageKind::UcxAsk || header.kind == MessageKind::UcxAnswer)
    return payload.size == header.length && channel == ChannelKind::Local ? UCS_OK
                                                                          : UCS_ERR_INVALID_PARAM;
  if (isAccess(header.kind)) return UCS_OK;  // whoever serves it looks
  if (header.kind == MessageKind::Answer || header.kind == MessageKind::PlanOffer ||
      header.kind == MessageKind::PlanAnswer)
    return payload.size == header.length ? UCS_OK : UCS_ERR_INVALID_PARAM;
  if (!isTransfer(header.kind))
    return payload.size == 0 && header.length == 0 ? UCS_OK : UCS_ERR_INVALID_PARAM;
  const bool whole = payload.size == header.length;
  const bool first =
      payload.size != 0 && payload.size < header.length && header.kind != MessageKind::Stream;
  if (!(whole || first) || header.length > loop.options.unexpected_bytes)
    return UCS_ERR_INVALID_PARAM;
  return receive_credit_.take(costOf(header.length, prologue)) ? UCS_OK : UCS_ERR_NO_MEMORY;
}

ucs_status_t Link::accountAnnouncement(const WireHeader& header, const ucp::Payload& payload) {
  const bool is_frame = header.kind == MessageKind::MultiFrame;
  const bool by_ucx = payload.announcement != nullptr;
  const bool is_sized = by_ucx ? payload.size == header.length
                               : payload.size == 0 || (channel == ChannelKind::Local &&
                                                       payload.size == sizeof(std::uint64_t));
  if (!(is_frame || isTransfer(header.kind)) || by_ucx == (header.announces != 0) || !is_sized)
    return UCS_ERR_INVALID_PARAM;
  const bool is_hosts = by_ucx || static_cast<Announces>(header.announces) == Announces::Payload;
  if (!is_hosts && (channel != ChannelKind::Local || payload.size != 0))
    return UCS_ERR_INVALID_PARAM;
  if (header.kind == MessageKind::Stream && header.length == 0) return UCS_ERR_INVALID_PARAM;
  return receive_credit_.takeAnnouncement(is_frame) ? UCS_OK : UCS_ERR_NO_MEMORY;
}

void Link::handle(Incoming& message) {
  const WireHeader& header = message.header;
  if (namesEndpoint(header.kind)) message.endpoint = findEndpoint(header);
  if (isTransfer(header.kind)) {
    countReceived(header.length);
  }
  try {
    dispatch(message);
  } catch (const std::bad_alloc&) {
    refuse(message);
    fail(UCS_ERR_NO_MEMORY);
  }
}

void Link::dispatch(const Incoming& message) {
  switch (message.header.kind) {
    case MessageKind::Tag:
      return onTag(*this, message);
    case MessageKind::Multi:
      return onMulti(*this, message);
    case MessageKind::Am:
      return onAm(*this, message);
    case MessageKind::Stream:
      return onStream(*this, message);
    case MessageKind::Fragment:
      if (!assembly_.take(message.header.argument, message.bytes, message.size))
        fail(UCS_ERR_INVALID_PARAM);
      return;
    case MessageKind::Piece:
      if (!incoming_.grants.take(message.header.argument, message.bytes, message.size))
        fail(UCS_ERR_INVALID_PARAM);
      return;
    case MessageKind::MultiFrame:
      return onMultiFrame(*this, message);
    case MessageKind::Open:
      return onOpen(message);
    case MessageKind::Credit:
      return send_credit_.restore(message.header.argument);
    case MessageKind::Help:
      if (!onHelp(message.header)) fail(UCS_ERR_INVALID_PARAM);
      return;
    case MessageKind::Fetch:
    case MessageKind::Taken:
    case MessageKind::Drop:
      if (!onOfferWord(message.header.kind, message.header.argument)) fail(UCS_ERR_INVALID_PARAM);
      return;
    case MessageKind::Stage:
    case MessageKind::Staged:
    case MessageKind::StagedTaken:
    case MessageKind::FetchByUcx:
    case MessageKind::NotByUcx:
      if (!onDeviceWord(message.header)) fail(UCS_ERR_INVALID_PARAM);
      return;
    case MessageKind::UcxPayload:
      return;  // it has no turn
    case MessageKind::Gone:
      if (!onGone(message.header.argument)) fail(UCS_ERR_INVALID_PARAM);
      return;
    case MessageKind::Recall:
      return recallable_.onRecall(message.header.argument);
    case MessageKind::UcxAsk:
      return ucx_beside_.onAsk(message);
    case MessageKind::UcxAnswer:
      return ucx_beside_.onAnswer(message);
    case MessageKind::Put:
    case MessageKind::Get:
    case MessageKind::Atomic:
    case MessageKind::Settle:
    case MessageKind::Answer:
      return onAccess(message);
    case MessageKind::Bye:
      return goodbye.onBye(message.header.argument);
    case MessageKind::ByeAnswer:
      return goodbye.onAnswer(message.header.argument);
    case MessageKind::Opened:
      return pairs_.forgetUnpaired(message.header.endpoint);
    case MessageKind::ListenerAsk:
      return linksOf(loop).onListenerAsk(*this, message.header.endpoint, message.header.argument);
    case MessageKind::ListenerAnswer:
      return linksOf(loop).onListenerAnswer(*this, message.header.endpoint,
                                            message.header.argument);
    case MessageKind::PlanOffer:
    case MessageKind::PlanAnswer:
    case MessageKind::PlanReady:
    case MessageKind::PlanData:
    case MessageKind::PlanClose:
    case MessageKind::PlanClosed:
      if (!plans_.take(message)) fail(UCS_ERR_INVALID_PARAM);
      return;
    case MessageKind::Accept:
    case MessageKind::Reject:
    case MessageKind::Closing:
    case MessageKind::Close:
      if (message.endpoint != nullptr) onEndpointControl(message.header.kind, *message.endpoint);
  }
}

/// About an announcement of this side. False: there is no such one.
bool Link::onOfferWord(MessageKind kind, std::uint64_t number) {
  helps_.remove(number);
  if (kind == MessageKind::Fetch) return offers_.grant(number);
  if (kind == MessageKind::Taken) return offers_.taken(number);
  return offers_.decline(number);
}

/// About a payload in memory of a device. False: there is no such one.
bool Link::onDeviceWord(const WireHeader& header) {
  const std::uint64_t number = header.argument;
  switch (header.kind) {
    case MessageKind::Stage:
      return offers_.stage(number);
    case MessageKind::StagedTaken:
      return offers_.stagedTaken(number);
    case MessageKind::FetchByUcx:
      if (!offers_.grantByUcx(number)) return false;
      ucx_beside_.send(number);
      return true;
    case MessageKind::Staged:
      return incoming_.device_fetches.takeStaged(number, header.endpoint, header.length);
    default:
      return incoming_.device_fetches.refuseByUcx(number);
  }
}

/// The sender of a message has taken it back.
bool Link::onGone(std::uint64_t argument) noexcept {
  const ucs_status_t status = (argument & kGapBit) != 0 ? UCS_ERR_CONNECTION_RESET : kTakenBack;
  return channel == ChannelKind::Ucp && incoming_.grants.refuse(argument & ~kGapBit, status);
}

/// About memory of this side (served.h), or the answer about that of the peer (accesses.h).
void Link::onAccess(const Incoming& message) {
  const WireHeader& header = message.header;
  const bool is_valid = header.kind == MessageKind::Answer
                            ? accesses_.take(statusFrom(header.argument, UCS_ERR_IO_ERROR),
                                             message.bytes, message.size)
                            : served_.take(message);
  if (!is_valid) fail(UCS_ERR_INVALID_PARAM);
}

bool Link::onHelp(const WireHeader& header) {
  const std::span<const std::byte> payload = offers_.share(header.argument);
  return !payload.empty() && helps_.add(header.argument, payload, HelpTerms::read(header));
}

void Link::onEndpointControl(MessageKind kind, EndpointState& endpoint) {
  switch (kind) {
    case MessageKind::Accept:
      if (endpoint.phase != EndpointPhase::Connecting) return;
      endpoint.becomeOpen();
      return endpoint.resumeFlushes();
    case MessageKind::Reject:
      return endEndpoint(endpoint, UCS_ERR_REJECTED);
    case MessageKind::Closing:
      if (!endpoint.isOver()) onClosing(endpoint);
      return;
    default:  // Close; that of a pair with itself is its own
      if (!endpoint.own_pair) endEndpoint(endpoint, UCS_ERR_CONNECTION_RESET);
  }
}

}  // namespace ucxx::core
