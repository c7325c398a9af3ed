// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Small messages that come through a ring, and are to cost little more than the ring: what the
// other files do for every message, in one piece for those whose receive waits. Whatever is not as
// usual is left to them.

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/copying.h"
#include "core/bulk/assembly.h"
#include "core/channel/credit.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/link/at_once.h"
#include "core/link/link.h"
#include "core/link/order.h"
#include "core/link/pairs.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/large_frames.h"
#include "core/match/matcher.h"
#include "core/match/transfers.h"
#include "core/request/complete_receive.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/choices.h"

namespace ucxx::core {
namespace {

/// One word of a header, read once: the peer may change it behind the reader.
[[gnu::always_inline]] inline std::uint64_t wordAt(std::span<const std::byte> header,
                                                   std::size_t index) noexcept {
  std::uint64_t word;
  std::memcpy(&word, header.data() + index * sizeof word, sizeof word);
  return word;
}

HeaderWords wordsOf(std::span<const std::byte> header) noexcept {
  return {wordAt(header, 0), wordAt(header, 1), wordAt(header, 2), wordAt(header, 3),
          wordAt(header, 4)};
}

/// By the last word of its header: the message is the next one of its link, is of `kind`, and
/// announces nothing.
[[gnu::always_inline]] inline bool isOfKind(std::uint64_t last, MessageKind kind,
                                            std::uint32_t sequence) noexcept {
  return (last & ~kSenderOpenedBit) == lastWord(sequence, kind, false);
}

/// The endpoint at this side that the message is for; null: there is none.
EndpointState* endpointFor(const Link& link, const HeaderWords& words) {
  return link.pairs().find(words[kPairWord], (words[kLastWord] & kSenderOpenedBit) == 0);
}

}  // namespace

/// There is room for all of them.
[[gnu::noinline]] bool Link::putInFragments(EndpointState& endpoint, const void* buffer,
                                            std::size_t size, std::uint64_t tag) {
  const auto* const bytes = static_cast<const std::byte*>(buffer);
  const Way way = local->wantedByPeer(size);
  const std::size_t each = local::choices::fragmentOf(size);
  MessageKind kind = MessageKind::Tag;
  for (std::size_t offset = 0; offset < size; offset += each) {
    const HeaderWords header{peer_name, endpoint.id, kind == MessageKind::Tag ? tag : offset, size,
                             lastWord(next_sequence_, kind, endpoint.own_opened)};
    if (!local->trySendFragment(header, bytes + offset, std::min(each, size - offset), way,
                                offset == 0)) {
      if (offset == 0) return false;
      fail(UCS_ERR_INVALID_PARAM);  // the peer says that it has consumed less than it had
      break;
    }
    ++next_sequence_;
    kind = MessageKind::Fragment;
  }
  send_credit_.spend(costOf(size));
  countSent(size);
  return true;
}

/// The next one of the message that is being put together.
bool Link::takeFragment(std::uint64_t offset, std::span<const std::byte> payload) {
  if (!order_.isEmpty() || !isSending()) return false;
  order_.advance();
  if (!assembly_.take(offset, payload.data(), payload.size())) fail(UCS_ERR_INVALID_PARAM);
  return true;
}

/// What has come of a message that has a receive: all of it, or the first fragment.
void Link::handTo(Operation& receive, const WireHeader& header,
                  std::span<const std::byte> payload) try {
  order_.advance();
  countReceived(header.length);
  (void)receive_credit_.take(costOf(header.length));  // there is room for it: mayPass
  Incoming message;
  message.header = header;
  message.bytes = payload.data();
  message.size = payload.size();
  deliver(*this, message, receive);
} catch (const std::bad_alloc&) {
  fail(UCS_ERR_NO_MEMORY);
}

[[gnu::always_inline]] inline void Link::tookAtOnce(std::size_t size, std::size_t cost) noexcept {
  order_.advance();
  countReceived(size);
  receive_credit_.pass(cost);
}

bool Link::takeAtOnce(std::span<const std::byte> header, std::span<const std::byte> payload) {
  if (header.size() != sizeof(HeaderWords)) [[unlikely]]
    return takeAmAtOnce(header, payload);
  // Out of registers: to read again what was just copied takes longer.
  const std::uint64_t tag = wordAt(header, kArgumentWord), length = wordAt(header, kLengthWord),
                      last = wordAt(header, kLastWord);
  // What counts is the size of the payload, which is this side's.
  const std::size_t cost = costOf(payload.size());
  if (!takes_usual || length != payload.size() || !receive_credit_.mayPass(cost)) return false;
  if (!isOfKind(last, MessageKind::Tag, order_.next())) [[unlikely]] {
    const HeaderWords words{wordAt(header, kLinkWord), wordAt(header, kPairWord), tag, length,
                            last};
    return takeStreamAtOnce(words, payload) || takeMultiAtOnce(words, payload);
  }
  PostedReceive* const receive = inboxOf(loop).tags.match(tag);
  if (receive == nullptr) return false;
  tookAtOnce(payload.size(), cost);
  auto& op = static_cast<Operation&>(*receive);
  if (op.kind != OperationKind::TagRecv || payload.size() > op.length) [[unlikely]] {
    deliverBytes(*this, payload.data(), payload.size(), tag, op);
    return true;
  }
  op.inlet_number = inlet_number;
  op.sender_tag = tag;
  op.received = payload.size();
  copyIn(op.buffer, payload.data(), payload.size(), payload.size());
  completeReceive(op);
  return true;
}

/// The next bytes of a stream, perhaps.
bool Link::takeStreamAtOnce(const HeaderWords& words, std::span<const std::byte> payload) {
  if (!isOfKind(words[kLastWord], MessageKind::Stream, order_.next())) return false;
  EndpointState* const endpoint = endpointFor(*this, words);
  Operation* const receive =
      endpoint != nullptr ? receiveOfStream(*endpoint, payload.size()) : nullptr;
  if (receive == nullptr) return false;
  tookAtOnce(payload.size(), costOf(payload.size()));
  takeStream(*this, payload, *receive);
  return true;
}

/// A multi-buffer message, perhaps.
bool Link::takeMultiAtOnce(const HeaderWords& words, std::span<const std::byte> payload) {
  const auto header = std::bit_cast<WireHeader>(words);
  if (header.link != 0 || !isOfKind(words[kLastWord], MessageKind::Multi, order_.next()))
    return false;
  PostedReceive* const receive = inboxOf(loop).multis.match(header.argument);
  if (receive == nullptr) return false;
  frames_.open(header);
  handTo(static_cast<Operation&>(*receive), header, payload);
  return true;
}

/// An active message of which its sender tells nothing, perhaps.
bool Link::takeAmAtOnce(std::span<const std::byte> header, std::span<const std::byte> payload) {
  if (!takes_usual || header.size() < sizeof(HeaderWords)) return false;
  const HeaderWords words = wordsOf(header);
  const std::span<const std::byte> prologue = header.subspan(sizeof words);
  const std::size_t cost = costOf(payload.size(), prologue.size());
  if (!isOfKind(words[kLastWord], MessageKind::Am, order_.next()) ||
      words[kLengthWord] != payload.size() || !receive_credit_.mayPass(cost) ||
      !isPlainPrologue(prologue))
    return false;
  EndpointState* const endpoint = endpointFor(*this, words);
  Operation* const receive = endpoint != nullptr ? receiveOfAm(*endpoint, payload.size()) : nullptr;
  if (receive == nullptr) return false;
  tookAtOnce(payload.size(), cost);
  takeAm(*this, payload, *receive);
  return true;
}

bool Link::takePart(std::span<const std::byte> header, std::span<const std::byte> payload) {
  if (header.size() != sizeof(HeaderWords)) return false;
  const HeaderWords words = wordsOf(header);
  if (assembly_.isActive())
    return isOfKind(words[kLastWord], MessageKind::Fragment, order_.next()) &&
           takeFragment(words[kArgumentWord], payload);
  const std::uint64_t length = words[kLengthWord];
  const bool is_first = !payload.empty() && length > payload.size() &&
                        length <= local::choices::kMostAtOnce &&
                        isOfKind(words[kLastWord], MessageKind::Tag, order_.next());
  if (!is_first || !takes_usual || !receive_credit_.mayPass(costOf(length))) return false;
  PostedReceive* const receive = inboxOf(loop).tags.match(words[kArgumentWord]);
  if (receive == nullptr) return false;
  handTo(static_cast<Operation&>(*receive), std::bit_cast<WireHeader>(words), payload);
  return true;
}

}  // namespace ucxx::core
