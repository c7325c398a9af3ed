// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>

#include "base/phase.h"
#include "core/loop.h"
#include "core/transfers.h"

namespace ucxx::core {
namespace {

/// What goes out in fragments, above that it is announced. Over TCP nothing is gained by UCX's
/// rendezvous, which copies as often; with 16 KiB, UCX sends straight from the buffer and receives
/// in one read (12 and 20 KiB take 1.2 and 1.7 times as long). Other transports fetch without the
/// receiver's processor.
constexpr Fragments kTcpFragments{Offers::kPieceBytes, 4 << 20, 32 << 10, true};
constexpr Fragments kOtherFragments{32 << 10, 256 << 10, 32 << 10, false};
/// Through the ring of the local channel.
static_assert(local::choices::kPiece == Offers::kPieceBytes, "announced ones come in such pieces");
constexpr Fragments kLocalFragments{local::choices::kPiece, local::choices::kSentAtOnce,
                                    local::choices::kPiece, true};
/// Active messages above this ask the receiver's allocator for memory, perhaps a device's.
constexpr std::size_t kFragmentedAmBytes = 256 << 10;

/// Control messages in UCX's hands, beside answers to announcements: a peer that takes none while
/// it asks for more must not have our memory for them.
constexpr std::size_t kMostControls = 1 << 16;

/// What UCX sends and completes in one call, by a copy.
constexpr std::size_t kAtOnceBytes = 8 << 10;

template <class T>
std::span<const std::byte> bytesOf(const T& header) noexcept {
  return {reinterpret_cast<const std::byte*>(&header), sizeof header};
}

MessageKind messageOf(OperationKind kind) noexcept {
  switch (kind) {
    case OperationKind::AmSend:
      return MessageKind::Am;
    case OperationKind::StreamSend:
      return MessageKind::Stream;
    case OperationKind::MultiSend:
      return MessageKind::Multi;
    default:
      return MessageKind::Tag;
  }
}

const std::vector<ucp_dt_iov_t>* iovOf(const Operation& op) noexcept {
  if (op.kind != OperationKind::AmSend) return nullptr;
  const auto& iov = static_cast<const AmSendExtra&>(*op.extra).iov;
  return iov.empty() ? nullptr : &iov;
}

std::size_t prologueOf(const Operation& op) noexcept {
  if (op.kind != OperationKind::AmSend) return 0;
  return prologueBytes(static_cast<const AmSendExtra&>(*op.extra).prologue);
}

/// Can go in fragments, of which each knows its offset.
bool isContiguous(const Operation& op) noexcept {
  return op.kind != OperationKind::StreamSend && iovOf(op) == nullptr;
}

/// Perhaps the memory of a device: UCX announces it, whose rendezvous moves what the processor
/// cannot.
bool isOnDevice(const Operation& op) noexcept {
  if (op.kind != OperationKind::AmSend) return false;
  return static_cast<const AmSendExtra&>(*op.extra).prologue.memory_type != UCS_MEMORY_TYPE_HOST;
}

/// What the link ends with; OK: it goes on.
ucs_status_t failureOf(const Link& link) noexcept {
  return link.error != UCS_OK ? link.error : link.failing;
}

}  // namespace

/// One message of ours on its way through UCX that no operation of its own stands for.
struct Link::Transmission final : base::Completion {
  Transmission(Link& link_, const WireHeader& header_) noexcept : header(header_), link(link_) {
    done = [](base::Completion& self, ucs_status_t status) {
      static_cast<Transmission&>(self).ended(status);
    };
  }
  static Transmission* make(Link& link, const WireHeader& header) {
    return new (base::PoolAllocator<Transmission>().allocate(1)) Transmission(link, header);
  }
  void free() noexcept { base::PoolAllocator<Transmission>().deallocate(this, 1); }
  void ended(ucs_status_t status) noexcept {
    Link& its_link = link;
    Operation* operation = op;
    const bool was_announced = announced;
    const MessageKind kind = header.kind;
    free();
    if (was_announced) return its_link.announcedSendEnded(*operation, status);
    --its_link.pending_parts;
    status = its_link.sendEnded(status);
    if (operation == nullptr) return its_link.controlEnded(kind);
    endPart(*operation, status);
  }

  WireHeader header;
  Link& link;
  Operation* op = nullptr;  // null: control
  bool announced = false;
};

WireHeader Link::headerFor(MessageKind kind, const EndpointState* endpoint, std::uint64_t argument,
                           std::uint64_t length) {
  WireHeader header;
  header.link = peer_name;
  header.endpoint = endpoint != nullptr ? endpoint->id : 0;
  header.sender_opened = endpoint != nullptr && endpoint->own_opened ? 1 : 0;
  header.argument = argument;
  header.length = length;
  header.kind = kind;
  header.sequence = next_sequence_++;
  return header;
}

void Link::chooseFragments() {
  if (channel == ChannelKind::Local) {
    fragments_ = kLocalFragments;
    return;
  }
  const auto transports = ucp->transports();
  const bool tcp = !transports.empty() &&
                   std::all_of(transports.begin(), transports.end(),
                               [](const auto& transport) { return transport.first == "tcp"; });
  fragments_ = tcp ? kTcpFragments : kOtherFragments;
}

void Link::send(Operation& op) {
  // While those are sent, a callback of theirs may post another: it comes behind them.
  if (state != State::Up || !op.endpoint->before_link.empty())
    return op.endpoint->before_link.pushBack(op);
  sendInTurn(op);
}

void Link::sendInTurn(Operation& op) {
  if (channel == ChannelKind::Self) return sendSelf(op);
  if (!waiting_.empty() || announced >= announcements_allowed_) return waiting_.pushBack(op);
  sendNow(op);
}

/// Its message, and one part of it, so that what follows cannot end it inside.
void Link::begin(Operation& op) {
  op.stage = Stage::Moving;
  op.channel_link = this;
  op.header = headerFor(messageOf(op.kind), op.endpoint, op.tag, op.length);
  ++op.parts;
  countSent(op.length);
}

void Link::countSent(std::size_t size) noexcept {
  loop.counters.messages_sent.add();
  loop.counters.bytes_sent.add(size);
}

void Link::sendNow(Operation& op) {
  // It was accepted before UCX was there, which takes less than a ring.
  if (channel == ChannelKind::Ucp && sizeof(WireHeader) + prologueOf(op) > loop.maxHeaderBytes())
    return complete(op, UCS_ERR_EXCEEDS_LIMIT);
  begin(op);
  const std::size_t cost = costOf(op.length, prologueOf(op));
  const bool eager = credit_ >= cost && op.length <= mostEager(op);
  if (eager) credit_ -= cost;
  eager ? sendWhole(op) : announce(op);
  if (op.kind == OperationKind::MultiSend) sendFrames(*this, op, op.header.sequence);
  endPart(op, UCS_OK);
}

/// What is longer is announced.
std::size_t Link::mostEager(const Operation& op) const noexcept {
  if (!isContiguous(op)) return fragments_.whole;
  if (op.length > local::choices::kSentAtOnceShared && local != nullptr &&
      local->isShared(op.buffer, op.length))
    return local::choices::kSentAtOnceShared;  // the peer takes it out of there
  return op.kind == OperationKind::AmSend ? std::min(kFragmentedAmBytes, fragments_.most)
                                          : fragments_.most;
}

void Link::sendWhole(Operation& op) {
  if (op.length <= fragments_.each || !isContiguous(op)) return sendFirst(op, op.buffer, op.length);
  sendFirst(op, op.buffer, fragments_.each);
  sendRest(op, fragments_.each);
}

void Link::announce(Operation& op) {
  op.announced = true;
  if (isAnnouncedByUcx(op)) {
    ++announced;
    return sendFirst(op, op.buffer, op.length);
  }
  const ucp_dt_iov_t buffer{op.buffer, op.length};
  const auto* iov = iovOf(op);
  const auto place = offer(op, op.header, iov != nullptr ? std::span(*iov) : std::span(&buffer, 1));
  sendFirst(op, place.data(), place.size());
  base::reached(base::Phase::Announced);
}

bool Link::isAnnouncedByUcx(const Operation& op) const noexcept {
  return op.announced && channel == ChannelKind::Ucp &&
         (!fragments_.own_announcements || isOnDevice(op));
}

void Link::sendFirst(Operation& op, const void* bytes, std::size_t size) {
  ++op.parts;
  ++pending_parts;
  const ucs_status_t status = transmitFirst(op, bytes, size);
  if (status != UCS_INPROGRESS) op.done(op, status);
}

ucs_status_t Link::transmitFirst(Operation& op, const void* bytes, std::size_t size) {
  const bool by_ucx = isAnnouncedByUcx(op);
  op.done = [](base::Completion& self, ucs_status_t status) {
    auto& sent = static_cast<Operation&>(self);
    Link& link = *sent.channel_link;
    if (link.isAnnouncedByUcx(sent)) return link.announcedSendEnded(sent, status);
    --link.pending_parts;
    endPart(sent, link.sendEnded(status));
  };
  if (op.kind != OperationKind::AmSend) return put(bytesOf(op.header), bytes, size, by_ucx, op);
  auto& extra = static_cast<AmSendExtra&>(*op.extra);
  extra.header = writeAmHeader(op.header, extra.prologue);
  const auto* iov = iovOf(op);
  if (iov != nullptr && op.header.announces == 0) return put(extra.header, *iov, by_ucx, op);
  return put(extra.header, bytes, size, by_ucx, op);
}

/// `header` announces `blocks`, a part of `op`. Returns what goes with it: inside a machine, where
/// they are.
std::span<const std::byte> Link::offer(Operation& op, WireHeader& header,
                                       std::span<const ucp_dt_iov_t> blocks) {
  header.announces = 1;
  ++op.parts;
  ++pending_parts;
  ++announced;
  const std::span<const std::byte> place = offers_.add(op, blocks);
  return channel == ChannelKind::Local ? place : std::span<const std::byte>();
}

void Link::sendRest(Operation& op, std::size_t offset) {
  const auto* bytes = static_cast<const std::byte*>(op.buffer);
  for (; offset < op.length; offset += fragments_.each) {
    const std::size_t size = std::min(fragments_.each, op.length - offset);
    transmit(&op, headerFor(MessageKind::Fragment, op.endpoint, offset, op.length), bytes + offset,
             size, false);
  }
}

void Link::transmit(Operation* op, const WireHeader& header, const void* buffer, std::size_t size,
                    bool announce) {
  Transmission* transmission = Transmission::make(*this, header);
  transmission->op = op;
  transmission->announced = announce;
  ++pending_parts;
  if (op != nullptr) ++op->parts;
  if (announce) ++announced;
  const ucs_status_t status =
      put(bytesOf(transmission->header), buffer, size, announce, *transmission);
  if (status != UCS_INPROGRESS) transmission->ended(status);
}

std::optional<ucs_status_t> Link::sendAtOnce(EndpointState& endpoint, const void* buffer,
                                             std::size_t size, std::uint64_t tag,
                                             Transmission*& pending) {
  if (state != State::Up || !endpoint.before_link.empty()) return std::nullopt;
  if (channel == ChannelKind::Self) return giveToSelf(buffer, size, tag);
  const std::size_t cost = costOf(size);
  if (size > kAtOnceBytes || credit_ < cost || !waiting_.empty() ||
      announced >= announcements_allowed_)
    return std::nullopt;
  if (local != nullptr) return putAtOnce(endpoint, buffer, size, tag);
  credit_ -= cost;
  countSent(size);
  pending = Transmission::make(*this, headerFor(MessageKind::Tag, &endpoint, tag, size));
  const ucs_status_t status = put(bytesOf(pending->header), buffer, size, false, *pending);
  if (status == UCS_INPROGRESS) {
    ++pending_parts;
    return status;
  }
  pending->free();
  return sendEnded(status);
}

std::optional<ucs_status_t> Link::putAtOnce(EndpointState& endpoint, const void* buffer,
                                            std::size_t size, std::uint64_t tag) {
  const WireHeader header = headerFor(MessageKind::Tag, &endpoint, tag, size);
  if (!local->trySend(bytesOf(header), buffer, size)) {
    --next_sequence_;
    return std::nullopt;
  }
  credit_ -= costOf(size);
  countSent(size);
  return UCS_OK;
}

void Link::attach(Transmission& transmission, Operation& op) noexcept {
  transmission.op = &op;
  op.stage = Stage::Moving;
  op.channel_link = this;
  op.parts = 1;
}

void Link::sendFrame(Operation& op, const void* buffer, const FrameInfo& frame,
                     std::uint64_t argument) {
  WireHeader header = headerFor(MessageKind::MultiFrame, op.endpoint, argument, frame.size);
  if (channel == ChannelKind::Ucp && (frame.cuda || !fragments_.own_announcements))
    return transmit(&op, header, buffer, frame.size, true);
  if (channel != ChannelKind::Self) {
    const ucp_dt_iov_t block{const_cast<void*>(buffer), frame.size};
    const auto place = offer(op, header, std::span(&block, 1));
    transmit(&op, header, place.data(), place.size(), false);
    return base::reached(base::Phase::Announced);
  }
  Incoming message;
  message.header = header;
  message.bytes = buffer;
  message.size = frame.size;
  message.sender = &op;
  ++op.parts;
  handle(message);
  if (!message.sender_kept) endPart(op, UCS_OK);
}

void Link::sendControl(MessageKind kind, const EndpointState& endpoint, std::uint64_t argument) {
  if (endpoint.own_pair) return;  // it knows
  sendControl(headerFor(kind, &endpoint, argument, 0));
}

void Link::sendControl(MessageKind kind, std::uint64_t argument) {
  sendControl(headerFor(kind, nullptr, argument, 0));
}

void Link::sendControl(const WireHeader& header) {
  if (state != State::Up) return;
  if (channel != ChannelKind::Self) {
    if (controls_ >= mostControls()) return fail(UCS_ERR_NO_MEMORY);
    ++controls_;
    return transmit(nullptr, header, nullptr, 0, false);
  }
  Incoming message;
  message.header = header;
  handle(message);
}

void Link::controlEnded(MessageKind kind) noexcept {
  --controls_;
  if (kind != MessageKind::ByeAnswer) return;
  answering_bye_ = false;
  if (owed_bye_ != 0) loop.reviewLinks();
}

std::size_t Link::mostControls() const noexcept {
  return kMostControls + loop.options.announcements + loop.options.multi_frames;
}

void Link::sendWaiting() {
  while (state == State::Up && announced < announcements_allowed_ && !waiting_.empty())
    sendNow(*waiting_.popFront());
}

void Link::withdraw(Operation& op) noexcept {
  WaitList& before_link = op.endpoint->before_link;
  Operation* early = before_link.front();
  while (early != nullptr && early != &op) early = before_link.after(*early);
  (early != nullptr ? before_link : waiting_).remove(op);
}

ucs_status_t Link::sendEnded(ucs_status_t status) noexcept {
  if (status == UCS_OK) return UCS_OK;
  fail(status == UCS_ERR_CANCELED ? UCS_ERR_CONNECTION_RESET : status);
  return failureOf(*this);
}

/// What ends with its link was perhaps not received.
void Link::announcedSendEnded(Operation& op, ucs_status_t status) noexcept {
  --pending_parts;
  --announced;
  if (!waiting_.empty()) loop.reviewLinks();  // which sends them, outside of UCX's callback
  if (const ucs_status_t failure = failureOf(*this); failure != UCS_OK)
    status = failure;
  else if (answered_bye_)
    status = UCS_ERR_CONNECTION_RESET;
  else if (status == UCS_ERR_CANCELED)  // UCX has it for a drop, but some versions OK
    status = statusOfDropped(op);
  endPart(op, status);
}

/// Its receiver had no use for it, which is its own affair; but perhaps nobody was there any more.
ucs_status_t statusOfDropped(const Operation& op) noexcept {
  if (!op.endpoint->isOver()) return UCS_OK;
  const ucs_status_t failure = op.endpoint->error.load(std::memory_order_relaxed);
  return failure == UCS_OK ? UCS_ERR_CONNECTION_RESET : failure;
}

}  // namespace ucxx::core
