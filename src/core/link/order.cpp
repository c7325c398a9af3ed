// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/order.h"

#include <utility>

namespace ucxx::core {
namespace {

/// How far a message may be ahead of its turn: lanes reorder a little, only a broken peer more.
constexpr std::uint32_t kMaxAhead = 1 << 20;
/// What may wait beside the messages that have credit: control messages, fetched payloads, and
/// announcements but for their prologues.
constexpr std::size_t kMostBesideCredit = 16 << 20;

}  // namespace

bool Order::mayKeep(const Early& message) const noexcept {
  const std::uint32_t sequence = message.header.sequence;
  return sequence - next_ <= kMaxAhead && early_.count(sequence) == 0 &&
         bytes_ + message.cost <= limits_.bytes + kMostBesideCredit &&
         announcements_ + message.isAnnounced() <= limits_.announcements;
}

bool Order::keep(const WireHeader& header, std::span<const std::byte> prologue,
                 const ucp::Payload& payload) {
  Early message;
  message.header = header;
  message.size = payload.size;
  message.announcement = payload.announcement;
  const std::size_t bytes = message.announcement == nullptr ? payload.size : 0;
  message.cost = costOf(bytes, message.isAnnounced() ? 0 : prologue.size());
  if (!mayKeep(message)) return false;
  const auto* from = static_cast<const std::byte*>(payload.bytes);
  message.bytes.assign(from, from + bytes);
  message.prologue.assign(prologue.begin(), prologue.end());
  const std::size_t cost = message.cost;
  const bool is_announced = message.isAnnounced();
  early_.emplace(header.sequence, std::move(message));
  bytes_ += cost;
  announcements_ += is_announced;
  return true;
}

std::optional<Order::Early> Order::release() noexcept {
  auto node = early_.extract(next_);
  if (node.empty()) return std::nullopt;
  bytes_ -= node.mapped().cost;
  announcements_ -= node.mapped().isAnnounced();
  return std::move(node.mapped());
}

}  // namespace ucxx::core
