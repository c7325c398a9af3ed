// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/assembly.h"

#include <cstring>
#include <utility>

#include "core/transfers.h"

namespace ucxx::core {

void Assembly::begin(const Incoming& first, Operation* receiver, Message* kept) noexcept {
  message_ = kept;
  receiver_ = receiver;
  offset_ = first.size;
  length_ = first.header.length;
}

void Assembly::handTo(Operation& receiver) noexcept {
  message_ = nullptr;
  receiver_ = &receiver;
}

void Assembly::forget(const Message& kept) noexcept {
  if (message_ == &kept) message_ = nullptr;
}

bool Assembly::take(const Incoming& fragment) {
  const std::size_t size = fragment.size;
  if (size == 0 || fragment.header.argument != offset_ || size > length_ - offset_) return false;
  if (std::byte* to = target()) std::memcpy(to + offset_, fragment.bytes, size);
  offset_ += size;
  if (message_ != nullptr) message_->filled = offset_;
  if (isActive()) return true;
  message_ = nullptr;
  if (Operation* op = std::exchange(receiver_, nullptr)) payloadReceived(*op, UCS_OK);
  return true;
}

void Assembly::revoke(const EndpointState& endpoint, ucs_status_t status) noexcept {
  if (receiver_ == nullptr || receiver_->endpoint != &endpoint) return;
  payloadReceived(*std::exchange(receiver_, nullptr), status);
}

void Assembly::end(ucs_status_t status) noexcept {
  offset_ = length_;
  message_ = nullptr;
  if (Operation* op = std::exchange(receiver_, nullptr)) payloadReceived(*op, status);
}

std::byte* Assembly::target() const noexcept {
  if (receiver_ != nullptr) return static_cast<std::byte*>(receiver_->buffer);
  return message_ != nullptr ? message_->bytes : nullptr;
}

}  // namespace ucxx::core
