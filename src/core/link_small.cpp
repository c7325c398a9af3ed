// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Small tag messages through a ring, which are to cost little more than the ring: what the other
// files do for every kind of message, in one piece for this one. Whatever is not as usual is left
// to them.

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "core/loop.h"
#include "core/transfers.h"
#include "local/choices.h"

namespace ucxx::core {

void Link::countSent(std::size_t size) noexcept {
  loop.counters.messages_sent.add();
  loop.counters.bytes_sent.add(size);
  ++counters.messages_sent;
  counters.bytes_sent += size;
}

void Link::countReceived(std::size_t size) noexcept {
  loop.counters.messages_received.add();
  loop.counters.bytes_received.add(size);
  ++counters.messages_received;
  counters.bytes_received += size;
}

bool Link::putAtOnce(EndpointState& endpoint, const void* buffer, std::size_t size,
                     std::uint64_t tag) {
  const HeaderWords header{peer_name, endpoint.id, tag, size,
                           lastWord(next_sequence_, MessageKind::Tag, endpoint.own_opened)};
  if (!local->trySend(header, buffer, size)) return false;
  ++next_sequence_;
  credit_ -= costOf(size);
  countSent(size);
  return true;
}

/// There is room for all of them.
bool Link::putInFragments(EndpointState& endpoint, const void* buffer, std::size_t size,
                          std::uint64_t tag) {
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
  credit_ -= costOf(size);
  countSent(size);
  return true;
}

/// The next one of the message that is being put together.
bool Link::takeFragment(std::uint64_t offset, std::span<const std::byte> payload) {
  if (!stash_.empty() || !isSending()) return false;
  ++expected_sequence_;
  if (!assembly.take(offset, payload.data(), payload.size())) fail(UCS_ERR_INVALID_PARAM);
  return true;
}

/// The first fragment of a message that has a receive.
void Link::takeFirst(const WireHeader& header, std::span<const std::byte> payload,
                     Operation& receive) try {
  unreturned_ += costOf(header.length);
  Incoming first;
  first.header = header;
  first.bytes = payload.data();
  first.size = payload.size();
  deliver(*this, first, receive);
} catch (const std::bad_alloc&) {
  fail(UCS_ERR_NO_MEMORY);
}

bool Link::takeAtOnce(std::span<const std::byte> header, std::span<const std::byte> payload) {
  if (header.size() != sizeof(HeaderWords) || !takes_usual_) return false;
  // A copy, since the peer may change them behind us. What counts is the size of the payload, ours.
  HeaderWords words;
  std::memcpy(words.data(), header.data(), sizeof words);
  const auto& [link, endpoint, tag, length, last] = words;
  const std::uint64_t next = lastWord(expected_sequence_, MessageKind::Tag, false);
  const std::size_t cost = costOf(payload.size());
  if ((last & ~kSenderOpenedBit) != next || length != payload.size() || !hasCreditFor(cost))
    return false;
  PostedReceive* const receive = loop.tags.match(tag);
  if (receive == nullptr) return false;
  ++expected_sequence_;
  countReceived(length);
  consumed_ += cost;
  deliverBytes(*this, payload.data(), payload.size(), tag, static_cast<Operation&>(*receive));
  return true;
}

bool Link::takePart(std::span<const std::byte> header, std::span<const std::byte> payload) {
  if (header.size() != sizeof(HeaderWords)) return false;
  HeaderWords words;
  std::memcpy(words.data(), header.data(), sizeof words);
  const auto& [link, endpoint, tag, length, last] = words;
  const bool opened = (last & kSenderOpenedBit) != 0;
  if (assembly.isActive())
    return last == lastWord(expected_sequence_, MessageKind::Fragment, opened) &&
           takeFragment(tag, payload);
  const bool is_first = !payload.empty() && length > payload.size() &&
                        length <= local::choices::kMostAtOnce &&
                        last == lastWord(expected_sequence_, MessageKind::Tag, opened);
  if (!is_first || !takes_usual_ || !hasCreditFor(costOf(length))) return false;
  PostedReceive* const receive = loop.tags.match(tag);
  if (receive == nullptr) return false;
  ++expected_sequence_;
  countReceived(length);
  takeFirst(std::bit_cast<WireHeader>(words), payload, static_cast<Operation&>(*receive));
  return true;
}

bool Link::hasCreditFor(std::size_t cost) const noexcept {
  return unreturned_ + cost <= loop.options.unexpected_bytes &&
         consumed_ + cost < loop.options.unexpected_bytes / kCreditReturns;
}

}  // namespace ucxx::core
