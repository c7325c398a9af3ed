// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Small tag messages through a ring, which are to cost little more than the ring: what the other
// files do for every kind of message, in one piece for this one. Whatever is not as usual is left
// to them.

#include <cstring>

#include "core/loop.h"
#include "core/transfers.h"

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

bool Link::takeAtOnce(std::span<const std::byte> header, std::span<const std::byte> payload) {
  if (header.size() != sizeof(HeaderWords)) return false;
  // A copy, since the peer may change them behind us. What counts is the size of the payload, ours.
  HeaderWords words;
  std::memcpy(words.data(), header.data(), sizeof words);
  const auto& [link, endpoint, tag, length, last] = words;
  const bool opened = (last & kSenderOpenedBit) != 0;
  // A tag message that announces nothing and has its turn.
  if (last != lastWord(expected_sequence_, MessageKind::Tag, opened) || length != payload.size())
    return false;
  const std::size_t cost = costOf(payload.size());
  const bool has_credit = unreturned_ + cost <= loop.options.unexpected_bytes &&
                          consumed_ + cost < loop.options.unexpected_bytes / kCreditReturns;
  if (!has_credit || !stash_.empty() || assembly.isActive() || !isSending() || !caller_heard_)
    return false;
  PostedReceive* const receive = loop.tags.match(tag);
  if (receive == nullptr) return false;
  ++expected_sequence_;
  consumed_ += cost;
  countReceived(payload.size());
  deliverBytes(*this, payload.data(), payload.size(), tag, static_cast<Operation&>(*receive));
  return true;
}

}  // namespace ucxx::core
