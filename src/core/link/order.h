// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/wire/wire.h"
#include "ucp/worker.h"

namespace ucxx::core {

/// The order in which the messages of a peer have their turn, and those that came before theirs:
/// UCX promises no order, least of all between what it carries and a ring. How many of these a peer
/// may send is limited.
class Order {
 public:
  struct Limits {
    std::size_t bytes = 0;          // that have credit
    std::size_t announcements = 0;  // of payloads that stay with their senders
  };
  /// A message that came before its turn.
  struct Early {
    WireHeader header;
    std::vector<std::byte> prologue;
    std::vector<std::byte> bytes;
    std::size_t size = 0;          // of the payload, which UCX may hold still
    void* announcement = nullptr;  // by UCX
    std::size_t cost = 0;          // its part of the bytes that may wait here

    /// The bytes are valid as long as the message.
    ucp::Payload payload() const noexcept { return {bytes.data(), size, announcement}; }
    bool isAnnounced() const noexcept { return announcement != nullptr || header.announces != 0; }
  };

  /// The first message of the peer has the sequence `first`: 0 on a link; tests begin shortly
  /// before the sequences wrap.
  explicit Order(const Limits& limits, std::uint32_t first = 0) noexcept
      : limits_(limits), next_(first) {}

  /// The sequence of the message that has its turn: so many messages have had theirs, modulo 2^32.
  std::uint32_t next() const noexcept { return next_; }
  bool isTurn(std::uint32_t sequence) const noexcept { return sequence == next_; }
  /// The message that has its turn is handled: the next one has its turn.
  void advance() noexcept { ++next_; }

  /// No message waits for its turn.
  bool isEmpty() const noexcept { return early_.empty(); }
  /// Keeps a message for its turn, and the bytes that come with it. False, and nothing has
  /// happened: no honest peer sends it now. Throws bad_alloc.
  bool keep(const WireHeader& header, std::span<const std::byte> prologue,
            const ucp::Payload& payload);
  /// The message that has its turn, if it has come; the turn is over with `advance`.
  std::optional<Early> release() noexcept;
  /// Forgets all that wait; `drop` is called with the payload of each, which UCX may hold.
  template <class Drop>
  void clear(Drop drop) noexcept {
    for (const auto& [sequence, message] : early_) drop(message.payload());
    early_.clear();
    bytes_ = announcements_ = 0;
  }

 private:
  bool mayKeep(const Early& message) const noexcept;

  const Limits limits_;
  std::uint32_t next_;
  std::map<std::uint32_t, Early> early_;  // by sequence
  std::size_t bytes_ = 0;                 // what all these cost
  std::size_t announcements_ = 0;         // among them
};

}  // namespace ucxx::core
