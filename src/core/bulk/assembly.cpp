// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/assembly.h"

#include <utility>

#include "core/bulk/ways.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"
#include "local/bulk_ring.h"
#include "local/channel.h"

namespace ucxx::core {

void Assembly::begin(const Incoming& first, Operation* receiver, Message* kept) noexcept {
  message_ = kept;
  receiver_ = receiver;
  offset_ = first.size;
  length_ = first.header.length;
  port_.becomeUnusual();
  if (port_.local == nullptr || !port_.local->isInBulk(first.bytes)) return;
  if (receiver == nullptr) return ways_.passesBy(length_);
  is_timed_ = true;
  const local::BulkNote& note = port_.local->note();
  way_ = note.way;
  ways_.begins(length_, way_, note.cycles);  // its sender began when it wrote the fragment
}

void Assembly::handTo(Operation& receiver) noexcept {
  message_ = nullptr;
  receiver_ = &receiver;
}

/// A payload that goes nowhere tells nothing of its way.
void Assembly::stopTiming(bool whole) noexcept {
  if (!std::exchange(is_timed_, false)) return;
  if (whole) ways_.came(length_, way_);
  ways_.ends(whole);
}

void Assembly::forget(const Message& kept) noexcept {
  if (message_ == &kept) message_ = nullptr;
}

bool Assembly::take(std::uint64_t offset, const void* bytes, std::size_t size) {
  if (size == 0 || offset != offset_ || size > length_ - offset_) return false;
  if (std::byte* to = target()) port_.copyIn(to + offset_, bytes, size, length_);
  offset_ += size;
  if (message_ != nullptr) message_->filled = offset_;
  if (isActive()) return true;
  message_ = nullptr;
  stopTiming(true);
  if (Operation* op = std::exchange(receiver_, nullptr)) payloadReceived(*op, UCS_OK);
  return true;
}

void Assembly::revoke(const EndpointState& endpoint, ucs_status_t status) noexcept {
  if (receiver_ == nullptr || receiver_->endpoint != &endpoint) return;
  stopTiming(false);
  payloadReceived(*std::exchange(receiver_, nullptr), status);
}

void Assembly::end(ucs_status_t status) noexcept {
  stopTiming(false);
  offset_ = length_;
  message_ = nullptr;
  if (Operation* op = std::exchange(receiver_, nullptr)) payloadReceived(*op, status);
}

std::byte* Assembly::target() const noexcept {
  if (receiver_ != nullptr) return static_cast<std::byte*>(receiver_->buffer);
  return message_ != nullptr ? message_->bytes : nullptr;
}

}  // namespace ucxx::core
