// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/channel/port.h"

#include <cstddef>
#include <new>
#include <utility>

#include "base/copying.h"
#include "base/object_pool.h"
#include "core/loop/loop.h"
#include "local/choices.h"

namespace ucxx::core {
namespace {

/// Control messages under way, beside answers to announcements: a peer that takes none while it
/// asks for more must not have local memory for them.
constexpr std::size_t kMostControls = 1 << 16;

/// A flush of both carriers: the ring's first, then UCX's.
struct BothFlush final : base::Completion {
  BothFlush(Port& port_, base::Completion& whole_) noexcept : port(port_), whole(whole_) {
    done = [](base::Completion& self, ucs_status_t status) {
      static_cast<BothFlush&>(self).goOn(status);
    };
  }
  void goOn(ucs_status_t status) noexcept {
    Port& its_port = port;
    base::Completion& its_whole = whole;
    delete this;
    if (status == UCS_OK) status = its_port.ucp->flush(its_whole);
    if (status != UCS_INPROGRESS) its_whole.done(its_whole, status);
  }

  Port& port;
  base::Completion& whole;
};

/// UCX's blocks, as the kernel names such.
std::span<const iovec> asIovec(std::span<const ucp_dt_iov_t> blocks) noexcept {
  static_assert(sizeof(iovec) == sizeof(ucp_dt_iov_t) &&
                offsetof(iovec, iov_base) == offsetof(ucp_dt_iov_t, buffer) &&
                offsetof(iovec, iov_len) == offsetof(ucp_dt_iov_t, length));
  return {reinterpret_cast<const iovec*>(blocks.data()), blocks.size()};
}

}  // namespace

Port::Port(Loop& its_loop, ChannelKind its_channel) noexcept
    : loop(its_loop),
      review(loop.reviews, *this, [](Port& it) { it.onReviewDue(); }),
      channel(its_channel) {}

Port::~Port() = default;

void Port::fail(ucs_status_t status) noexcept {
  // Not now: this may be a callback of UCX, where its endpoint must not be closed.
  if (state == State::Ended || failing != UCS_OK) return;
  failing = status;
  becomeUnusual();
  review.ask();
}

ucs_status_t Port::failureStatus() const noexcept {
  if (error != UCS_OK) return error;
  return failing != UCS_OK ? failing : ucx_status;
}

WireHeader Port::headerFor(MessageKind kind, PairName about, std::uint64_t argument,
                           std::uint64_t length) noexcept {
  WireHeader header;
  header.link = peer_name;
  header.endpoint = about.id;
  header.sender_opened = about.own_opened ? 1 : 0;
  header.argument = argument;
  header.length = length;
  header.kind = kind;
  header.sequence = next_sequence_++;
  return header;
}

/// The ring keeps the order of pieces, so they need no turn: they may overtake what goes by UCX,
/// and do not pile up after it.
WireHeader Port::headerOfPiece(std::uint64_t number, std::uint64_t length) noexcept {
  const WireHeader header = headerFor(MessageKind::Piece, {}, number, length);
  if (local != nullptr) --next_sequence_;
  return header;
}

/// A payload that goes by UCX beside the ring needs no turn either.
WireHeader Port::headerOfPayload(std::uint64_t number, std::uint64_t length) noexcept {
  const WireHeader header = headerFor(MessageKind::UcxPayload, {}, number, length);
  --next_sequence_;
  return header;
}

std::optional<local::Way> Port::fragmentWayOf(std::size_t size) const noexcept {
  if (local == nullptr || size <= local::choices::kMostInRecord || !local->hasBulkRing()) return {};
  return local->wantedByPeer(size) == local::Way::Streaming ? local::Way::Streaming
                                                            : local::Way::Cached;
}

/// What UCX has not taken never has its turn at the peer, and neither has what follows.
ucs_status_t Port::given(ucs_status_t status) noexcept {
  if (status != UCS_OK && status != UCS_INPROGRESS) ucpFailed(status);
  return status;
}

ucs_status_t Port::put(std::span<const std::byte> header, const void* buffer, std::size_t size,
                       Carrier carrier, base::Completion& completion,
                       std::optional<local::Way> fragment) try {
  if (local != nullptr && carrier == Carrier::Channel)
    return local->send(header, buffer, size, completion, fragment);
  return given(ucp->send(header, buffer, size, carrier == Carrier::UcxAnnounced, completion));
} catch (const std::bad_alloc&) {
  return UCS_ERR_NO_MEMORY;
}

ucs_status_t Port::put(std::span<const std::byte> header, std::span<const ucp_dt_iov_t> blocks,
                       Carrier carrier, base::Completion& completion) try {
  if (local != nullptr && carrier == Carrier::Channel)
    return local->send(header, asIovec(blocks), completion);
  return given(ucp->send(header, blocks, carrier == Carrier::UcxAnnounced, completion));
} catch (const std::bad_alloc&) {
  return UCS_ERR_NO_MEMORY;
}

ucs_status_t Port::putCopy(std::span<const std::byte> header, const void* buffer,
                           std::size_t size) try {
  const iovec block{const_cast<void*>(buffer), size};
  return local->sendCopy(header, std::span(&block, 1));
} catch (const std::bad_alloc&) {
  return UCS_ERR_NO_MEMORY;
}

ucs_status_t Port::flush(base::Completion& completion) {
  if (local == nullptr) return ucp->flush(completion);
  if (ucp == nullptr) return local->flush(completion);
  auto* both = new (std::nothrow) BothFlush(*this, completion);
  if (both == nullptr) return UCS_ERR_NO_MEMORY;
  const ucs_status_t status = local->flush(*both);
  if (status == UCS_INPROGRESS) return status;
  delete both;
  return status == UCS_OK ? ucp->flush(completion) : status;
}

ucs_status_t Port::sendEnded(ucs_status_t status) noexcept {
  if (status == UCS_OK) return UCS_OK;
  if (status == UCS_ERR_CANCELED) status = UCS_ERR_CONNECTION_RESET;
  ucp != nullptr ? ucpFailed(status) : fail(status);
  return failureStatus();
}

void Port::tell(MessageKind kind, PairName about, std::uint64_t argument,
                std::span<const std::byte> payload) {
  if (channel == ChannelKind::Self) {
    Incoming message;
    message.header = headerFor(kind, about, argument, payload.size());
    message.bytes = payload.data();
    message.size = payload.size();
    return handle(message);
  }
  NoticePointer notice = Notice::make(*this, payload.size());
  notice->header = headerFor(kind, about, argument, payload.size());
  std::memcpy(notice->payload(), payload.data(), payload.size());
  give(std::move(notice), payload.size());
}

void Port::tell(NoticePointer notice, MessageKind kind, std::uint64_t argument,
                std::size_t size) noexcept {
  notice->header = headerFor(kind, {}, argument, size);
  give(std::move(notice), size);
}

void Port::sendControl(MessageKind kind, std::uint64_t argument) {
  sendControl(headerFor(kind, {}, argument, 0));
}

void Port::sendControl(const WireHeader& header, std::span<const std::byte> payload) {
  if (state != State::Up) return;
  if (channel == ChannelKind::Self) {
    Incoming message;
    message.header = header;
    return handle(message);
  }
  if (controls_ >= mostControls()) return fail(UCS_ERR_NO_MEMORY);
  try {
    NoticePointer notice = Notice::make(*this, payload.size(), &controls_);
    notice->header = header;
    if (!payload.empty()) std::memcpy(notice->payload(), payload.data(), payload.size());
    give(std::move(notice), payload.size());
  } catch (const std::bad_alloc&) {
    fail(UCS_ERR_NO_MEMORY);
  }
}

std::size_t Port::mostControls() const noexcept {
  return kMostControls + loop.options.announcements + loop.options.multi_frames;
}

void Port::give(NoticePointer notice, std::size_t size) noexcept {
  Notice& sent = *notice.release();
  ++pending_parts;
  const auto header = std::as_bytes(std::span(&sent.header, 1));
  const ucs_status_t status = put(header, sent.payload(), size, Carrier::Channel, sent);
  if (status != UCS_INPROGRESS) sent.done(sent, status);
}

void Port::copyLong(void* to, const void* from, std::size_t size,
                    std::size_t whole) const noexcept {
  base::aboutToCopy(size);
  if (local != nullptr && local->isInBulk(from)) return local->copyOut(to, from, size, whole);
  if (size != 0) std::memcpy(to, from, size);
}

Notice::Notice(Port& its_port, std::size_t bytes, std::size_t* counter) noexcept
    : port(its_port), room(bytes), under_way(counter) {
  if (under_way != nullptr) ++*under_way;
  done = [](base::Completion& self, ucs_status_t status) {
    static_cast<Notice&>(self).ended(status);
  };
}

NoticePointer Notice::make(Port& port, std::size_t bytes, std::size_t* under_way) {
  const std::size_t size = sizeof(Notice) + bytes;
  void* const place = size <= base::kPoolMaxBytes ? base::poolAllocate(size) : ::operator new(size);
  return NoticePointer(new (place) Notice(port, bytes, under_way));
}

void NoticeDeleter::operator()(Notice* notice) const noexcept {
  const std::size_t size = sizeof(Notice) + notice->room;
  if (notice->under_way != nullptr) --*notice->under_way;
  notice->~Notice();
  size <= base::kPoolMaxBytes ? base::poolFree(notice, size) : ::operator delete(notice);
}

void Notice::ended(ucs_status_t status) noexcept {
  Port& its_port = port;
  const bool answers_goodbye = header.kind == MessageKind::ByeAnswer;
  NoticeDeleter()(this);
  its_port.partEnded();
  (void)its_port.sendEnded(status);
  if (answers_goodbye) its_port.goodbyeAnswered();
}

}  // namespace ucxx::core
