// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Small tag messages through a ring, which are to cost little more than the ring: what the other
// files do for every kind of message, in one piece for this one. Whatever is not as usual is left
// to them.

#include "core/loop.h"
#include "core/transfers.h"

namespace ucxx::core {

std::optional<ucs_status_t> Link::putAtOnce(EndpointState& endpoint, const void* buffer,
                                            std::size_t size, std::uint64_t tag) {
  const WireHeader header = headerFor(MessageKind::Tag, &endpoint, tag, size);
  if (!local->trySend(wordsOf(header), buffer, size)) {
    --next_sequence_;
    return std::nullopt;
  }
  credit_ -= costOf(size);
  countSent(size);
  return UCS_OK;
}

bool Link::takeAtOnce(const WireHeader& header, std::span<const std::byte> payload) {
  const std::size_t cost = costOf(payload.size());
  const bool is_whole = header.kind == MessageKind::Tag && header.announces == 0 &&
                        header.length == payload.size() && !assembly.isActive();
  const bool has_its_turn = header.sequence == expected_sequence_ && stash_.empty();
  const bool has_credit = unreturned_ + cost <= loop.options.unexpected_bytes &&
                          consumed_ + cost < loop.options.unexpected_bytes / kCreditReturns;
  if (!is_whole || !has_its_turn || !has_credit || !isSending() || !caller_heard_) return false;
  PostedReceive* const receive = loop.tags.match(header.argument);
  if (receive == nullptr) return false;
  ++expected_sequence_;
  consumed_ += cost;
  loop.counters.messages_received.add();
  loop.counters.bytes_received.add(payload.size());
  deliverBytes(payload.data(), payload.size(), header.argument, static_cast<Operation&>(*receive));
  return true;
}

}  // namespace ucxx::core
