// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/completion.h"
#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/id128_format.h"
#include "base/log.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/bulk/assembly.h"
#include "core/bulk/bulk_memory.h"
#include "core/bulk/copies.h"
#include "core/bulk/helps.h"
#include "core/bulk/incoming_payloads.h"
#include "core/bulk/offers.h"
#include "core/bulk/ways.h"
#include "core/channel/channels.h"
#include "core/channel/credit.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/calling.h"
#include "core/link/endpoint_end.h"
#include "core/link/goodbye.h"
#include "core/link/link.h"
#include "core/link/link_copying.h"
#include "core/link/order.h"
#include "core/link/pairs.h"
#include "core/link/stillness.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/loop/watch.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/match/intake.h"
#include "core/match/large_frames.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/onesided/accesses.h"
#include "core/plan/plans.h"
#include "core/request/endpoint_core.h"
#include "door/door.h"
#include "door/hello.h"
#include "local/channel.h"
#include "local/choices.h"
#include "ucp/library.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

/// When a helper has not said that it has finished.
constexpr auto kLookAtHelpersAfter = std::chrono::milliseconds(10);

/// What the peer may send before its turn.
Order::Limits earlyLimitsOf(const ReceiveCredit::Limits& credit) noexcept {
  return {credit.bytes, credit.announcements + credit.frames};
}

}  // namespace

Calling::Calling(Link& link) noexcept
    : next_step(link.loop.deadlines, link, [](Link& it) { linksOf(it.loop).goOnCalling(it); }) {}

Link::Link(Loop& loop_, ChannelKind channel_)
    : Inlet(loop_, channel_),
      drain_deadline(loop.deadlines, *this, [](Link& it) { linksOf(it.loop).drain(it); }),
      order_(earlyLimitsOf(receive_credit_.limits())) {
  if (channel == ChannelKind::Self) state = State::Up;
}

Link::~Link() {
  if (state == State::Ended) return;
  forgetMessages();
  if (local == nullptr) return;
  local->forgetSocket();
  local->cancelSends();  // they tell the link, which is a port alone when the channel goes
}

void Link::prepare(const door::Hello& hello, std::unique_ptr<door::Connection> new_connection,
                   std::unique_ptr<local::Channel> local_channel, std::uint64_t own_name_,
                   bool own_call_) {
  peer = hello.worker;
  own_name = own_name_;
  peer_name = hello.link;
  own_call = caller_heard_ = own_call_;
  send_credit_.grant(hello.unexpected_bytes, hello.announcements);
  connection = std::move(new_connection);
  connection->context = this;
  peer_process = connection->peerProcess();
  if (local_channel != nullptr) {
    channel = ChannelKind::Local;
    local = std::move(local_channel);
    local->context = this;
    base::reached(base::Phase::ChannelBegins);
    local->begin(connection->descriptor());
    incoming_.ways.begin();
  } else if (own_call) {
    makeUcp(hello.ucx_address);
  } else {
    callers_address_ = hello.ucx_address;
    linksOf(loop).connect(*this);
  }
  chooseFragments();
  state = State::Up;
  base::log(LogLevel::Debug, "link", "up to worker {} at {}, {}", peer,
            connection->peerAddress().toString(), own_call ? "which was called" : "which called");
  calling.give_up_at = calling.retry_at = base::TimePoint::max();
  calling.next_step.clear();
}

void Link::makeUcp(std::span<const std::byte> address) {
  const ucp::Endpoint::Failure failed{
      this, [](void* self, ucs_status_t status) { static_cast<Link*>(self)->ucpFailed(status); }};
  ucp = std::make_unique<ucp::Endpoint>(channelsOf(loop).ensureUcp(), address, failed);
  linksOf(loop).connect(*this);
}

void Link::rename(std::uint64_t new_own_name) noexcept {
  own_name = new_own_name;
  order_.clear([this](const ucp::Payload& payload) { drop(payload); });
}

void Link::onReviewDue() { linksOf(loop).review(*this); }

void Link::ucxLost(ucs_status_t status) noexcept { linksOf(loop).onUcxLost(*this, status); }

void Link::act() noexcept {
  if (state == State::Ended) return;
  if (calling.is_unwanted && state == State::Connecting && pairs_.isEmpty()) return end();
  if (failing != UCS_OK && !goodbye.isAnswered()) {
    base::log(LogLevel::Info, "link", "the link to worker {} failed: {}{}", peer,
              ucp::statusText(failing), failure);
    error = failing;
  }
  if (failing != UCS_OK || goodbye.isAgreed()) return end();
  try {
    if (isOwedUcp() && !order_.isEmpty()) meetCaller();
    sendWaiting();
    offers_.sendPieces();
    ahead_.work();
    goodbye.sayIfUnneeded();
  } catch (const std::bad_alloc&) {
    fail(UCS_ERR_NO_MEMORY);
  }
}

/// Who called has said something. Only now UCX gets an end of the link: of two calls that cross,
/// one is left without a word, and UCX would have joined its end here to the other one's there.
void Link::meetCaller() {
  try {
    makeUcp(std::exchange(callers_address_, {}));
    chooseFragments();
  } catch (const std::exception& error) {
    failure = fmt::format(" ({})", error.what());
    base::log(LogLevel::Warn, "link", "cannot reach worker {}: {}", peer, error.what());
    return fail(UCS_ERR_UNREACHABLE);
  }
  handleEarly();
}

void Link::end() noexcept {
  if (state == State::Ended) return;
  state = State::Ended;
  becomeUnusual();
  base::log(LogLevel::Debug, "link", "to worker {} ends", peer);
  const ucs_status_t status = error != UCS_OK ? error : UCS_ERR_CONNECTION_RESET;
  error = status;
  if (calling.call != nullptr) linksOf(loop).door().hangUp(*std::exchange(calling.call, nullptr));
  // A goodbye of the link by which it asks may have waited for the answer.
  if (Link* const over = std::exchange(calling.asks, {}).over) over->review.ask();
  calling.next_step.clear();
  drain_deadline.clear();
  goodbye.onLinkEnd();
  stillness.end();
  bulk_memory.end();
  linksOf(loop).stopAsking(*this);
  plans_.quiesce();  // then the end of the socket says so
  if (local != nullptr) local->forgetSocket();
  connection.reset();
  peer_process = -1;
  for (EndpointState* endpoint : pairs_.takeAll()) endEndpoint(*endpoint, status);
  if (base::isForkedChild()) return;  // by a callback: the channel is not the child's
  if (local != nullptr) local->leave();
  assembly_.end(status);
  frames_.end(status);
  intake_.end(status);
  forgetMessages();
  helps_.clear();
  incoming_.end(status);
  offers_.end();
  accesses_.end(status);
  plans_.end();
  closeLocal();
  closeUcp();
  review.ask();
}

void Link::revokeReceives(const EndpointState& endpoint) noexcept {
  incoming_.revoke(endpoint, endpoint.overStatus());
  assembly_.revoke(endpoint, endpoint.overStatus());
  ahead_.revoke(endpoint, endpoint.overStatus());
}

/// Whole messages stay; what is still at the peer is lost with it.
void Link::forgetMessages() noexcept {
  loseMessagesOf(*this);
  order_.clear([this](const ucp::Payload& payload) { drop(payload); });
}

void Link::closeUcp() noexcept {
  if (ucp == nullptr || closing_ucp_) return;
  closing_ucp_ = true;
  closing_.link = this;
  closing_.done = [](base::Completion& self, ucs_status_t) {
    Link& link = *static_cast<ClosingUcp&>(self).link;
    link.closing_ucp_ = false;
    link.ucp.reset();
    link.review.ask();
  };
  const ucs_status_t status = ucp->close(closing_);
  if (status != UCS_INPROGRESS) closing_.done(closing_, status);
}

/// What waits for room in the ring ends. The rest stays as long as the peer may write to a buffer.
void Link::closeLocal() noexcept {
  if (local == nullptr) return;
  local->cancelSends();
  if (incoming_.copies.empty() && !plans_.areKept()) local.reset();
}

LinkCopying::LinkCopying(Link& link) noexcept : Watched(link.loop.copies), link_(link) {}

bool LinkCopying::look() {
  const bool moved = link_.copy();
  if (isWatching() && !link_.isCopying()) endWatching();
  return moved;
}

bool LinkCopying::maySleep() noexcept {
  // A helper may have left the link, and wakes nobody then.
  if (link_.mayBeTouched()) link_.loop.needsTimeAt(link_.loop.now() + kLookAtHelpersAfter);
  return link_.isCopyingQuiet();
}

bool Link::copy() {
  std::size_t copied = 0;
  while (copied < local::choices::kCopiedAtOnce) {
    std::size_t bytes = incoming_.copies.work();
    base::requireNotForked();  // a callback may have: what both sides write is not the child's
    if (bytes == 0) bytes = helps_.work();
    bytes += accesses_.work();
    base::requireNotForked();
    if (bytes == 0) break;
    copied += bytes;
  }
  incoming_.copies.turn();
  helps_.turn();
  if (state != State::Ended) return copied != 0;
  plans_.letGo();
  closeLocal();
  return copied != 0;
}

bool Link::isStaying() const noexcept {
  return state == State::Up && failing == UCS_OK && !goodbye.isUnderWay();
}

bool Link::isExpecting() const noexcept { return pending_parts != 0 || pairs_.areExpecting(); }

bool Link::isRemovable() const noexcept {
  return state == State::Ended && ucp == nullptr && pending_parts == 0 && pairs_.isEmpty() &&
         !plans_.areKept();
}

}  // namespace ucxx::core
