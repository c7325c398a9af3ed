// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>

#include "core/loop.h"
#include "core/transfers.h"

namespace ucxx::core {
namespace {

/// One eager message holds up to this much; it goes out and comes in without a copy by UCX.
constexpr std::size_t kFragmentBytes = 32 << 10;
/// Up to here a message goes as fragments, above by rendezvous.
constexpr std::size_t kFragmentedBytes = 256 << 10;

/// One message of ours on its way through UCX, when it is not the first of its operation.
struct Transmission final : ucp::Completion {
  WireHeader header;
  Link* link = nullptr;
  Operation* op = nullptr;  // null: control
  bool announced = false;
};

Transmission* makeTransmission() {
  return new (base::PoolAllocator<Transmission>().allocate(1)) Transmission;
}

void destroy(Transmission* transmission) noexcept {
  transmission->~Transmission();
  base::PoolAllocator<Transmission>().deallocate(transmission, 1);
}

template <class T>
std::span<const std::byte> bytesOf(const T& header) noexcept {
  return {reinterpret_cast<const std::byte*>(&header), sizeof header};
}

MessageKind messageOf(OperationKind kind) noexcept {
  switch (kind) {
    case OperationKind::AmSend: return MessageKind::Am;
    case OperationKind::StreamSend: return MessageKind::Stream;
    case OperationKind::MultiSend: return MessageKind::Multi;
    default: return MessageKind::Tag;
  }
}

const std::vector<ucp_dt_iov_t>* iovOf(const Operation& op) noexcept {
  if (op.kind != OperationKind::AmSend) return nullptr;
  const auto& iov = static_cast<const AmSendExtra&>(*op.extra).iov;
  return iov.empty() ? nullptr : &iov;
}

/// The self channel takes one buffer.
void gather(Operation& op, AmSendExtra& extra) {
  extra.gathered.reserve(op.length);
  for (const ucp_dt_iov_t& piece : extra.iov) {
    const auto* first = static_cast<const std::byte*>(piece.buffer);
    extra.gathered.insert(extra.gathered.end(), first, first + piece.length);
  }
  op.buffer = extra.gathered.data();
}

}  // namespace

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

void Link::sendNow(Operation& op) {
  op.stage = Stage::Moving;
  op.channel_link = this;
  loop.counters.messages_sent.add();
  loop.counters.bytes_sent.add(op.length);
  const bool has_credit = credit_ >= costOf(op.length);
  const bool in_pieces = op.kind == OperationKind::TagSend || op.kind == OperationKind::MultiSend ||
                         (op.kind == OperationKind::AmSend && iovOf(op) == nullptr);
  if (!has_credit || op.length > (in_pieces ? kFragmentedBytes : kFragmentBytes))
    return sendAnnounced(op);
  credit_ -= costOf(op.length);
  if (op.length > kFragmentBytes) return sendFragments(op);
  sendFirst(op, op.length, false);
}

ucs_status_t Link::transmitFirst(Operation& op, std::size_t size, bool announce) {
  op.done = [](ucp::Completion& self, ucs_status_t status) {
    auto& sent = static_cast<Operation&>(self);
    Link& link = *sent.channel_link;
    --link.pending_parts;
    if (sent.announced) link.announcementEnded();
    endPart(sent, link.senderStatus(sent.announced, status));
  };
  if (op.kind != OperationKind::AmSend)
    return ucp->send(bytesOf(op.header), op.buffer, size, announce, op);
  auto& extra = static_cast<AmSendExtra&>(*op.extra);
  extra.header = writeAmHeader(op.header, extra.prologue);
  if (const auto* iov = iovOf(op)) return ucp->send(extra.header, *iov, announce, op);
  return ucp->send(extra.header, op.buffer, size, announce, op);
}

void Link::sendFirst(Operation& op, std::size_t size, bool announce) {
  op.header = headerFor(messageOf(op.kind), op.endpoint, op.tag, op.length);
  op.announced = announce;
  ++op.parts;
  ++pending_parts;
  if (announce) ++announced;
  ++op.parts;  // what follows must not end inside
  const ucs_status_t status = transmitFirst(op, size, announce);
  if (status != UCS_INPROGRESS) op.done(op, status);
  if (op.kind == OperationKind::MultiSend) sendFrames(*this, op, op.header.sequence);
  if (size < op.length && !announce) sendRest(op, size);
  endPart(op, UCS_OK);
}

void Link::sendAnnounced(Operation& op) { sendFirst(op, op.length, true); }

void Link::sendFragments(Operation& op) { sendFirst(op, kFragmentBytes, false); }

void Link::sendRest(Operation& op, std::size_t offset) {
  const auto* bytes = static_cast<const std::byte*>(op.buffer);
  for (; offset < op.length; offset += kFragmentBytes) {
    const std::size_t size = std::min(kFragmentBytes, op.length - offset);
    transmit(&op, headerFor(MessageKind::Fragment, op.endpoint, offset, op.length), bytes + offset,
             size, false);
  }
}

void Link::transmit(Operation* op, const WireHeader& header, const void* buffer, std::size_t size,
                    bool announce) {
  Transmission* transmission = makeTransmission();
  transmission->header = header;
  transmission->link = this;
  transmission->op = op;
  transmission->announced = announce;
  transmission->done = [](ucp::Completion& self, ucs_status_t status) {
    auto* sent = static_cast<Transmission*>(&self);
    Link& link = *sent->link;
    Operation* operation = sent->op;
    const bool was_announced = sent->announced;
    destroy(sent);
    --link.pending_parts;
    if (was_announced) link.announcementEnded();
    if (operation != nullptr) endPart(*operation, link.senderStatus(was_announced, status));
  };
  ++pending_parts;
  if (op != nullptr) ++op->parts;
  if (announce) ++announced;
  const ucs_status_t status =
      ucp->send(bytesOf(transmission->header), buffer, size, announce, *transmission);
  if (status != UCS_INPROGRESS) transmission->done(*transmission, status);
}

void Link::sendFrame(Operation& op, const void* buffer, std::size_t size, std::uint64_t argument) {
  const WireHeader header = headerFor(MessageKind::MultiFrame, op.endpoint, argument, size);
  if (channel == ChannelKind::Ucp) return transmit(&op, header, buffer, size, true);
  Incoming message;
  message.header = header;
  message.bytes = buffer;
  message.size = size;
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
  if (channel == ChannelKind::Ucp) return transmit(nullptr, header, nullptr, 0, false);
  Incoming message;
  message.header = header;
  handle(message);
}

void Link::sendSelf(Operation& op) {
  op.stage = Stage::Moving;
  op.channel_link = this;
  op.header = headerFor(messageOf(op.kind), op.endpoint, op.tag, op.length);
  op.parts = 2;  // the message, and what follows here
  Incoming message;
  loop.counters.messages_sent.add();
  loop.counters.bytes_sent.add(op.length);
  if (op.kind == OperationKind::AmSend) {
    auto& extra = static_cast<AmSendExtra&>(*op.extra);
    if (!extra.iov.empty()) gather(op, extra);
    extra.header = writeAmHeader(op.header, extra.prologue);
    message.prologue = std::span<const std::byte>(extra.header).subspan(sizeof(WireHeader));
  }
  message.header = op.header;
  message.bytes = op.buffer;
  message.size = op.length;
  message.sender = &op;
  handle(message);
  if (!message.sender_kept) endPart(op, UCS_OK);
  if (op.kind == OperationKind::MultiSend) sendFrames(*this, op, op.header.sequence);
  endPart(op, UCS_OK);
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

/// A send whose announcement was dropped ends with OK or CANCELED, as the version of UCX has it: its
/// receiver had no use for it, which is its own affair. But what ends with its link was perhaps not received.
ucs_status_t Link::senderStatus(bool was_announced, ucs_status_t status) const noexcept {
  const bool ends = error != UCS_OK || answered_bye_;
  if (ends && (was_announced || status != UCS_OK))
    return error != UCS_OK ? error : UCS_ERR_CONNECTION_RESET;
  return status == UCS_ERR_CANCELED ? UCS_OK : status;
}

void Link::announcementEnded() noexcept {
  --announced;
  if (!waiting_.empty()) loop.reviewLinks();  // which sends them, outside of UCX's callback
}

}  // namespace ucxx::core
