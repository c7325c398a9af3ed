// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/list.h"
#include "core/bulk/help_terms.h"
#include "local/chunks.h"

namespace ucxx::core {

class Port;

/// Outgoing payloads that the peer is copying out of the memory of this process (copies.h), and
/// that this process helps to copy into the memory of the peer, from the end. Part of a link.
class Helps {
 public:
  explicit Helps(Port& port) noexcept : port_(port) {}
  ~Helps() { clear(); }
  Helps(const Helps&) = delete;
  Helps& operator=(const Helps&) = delete;

  /// Helps with the payload of announcement `number`. False: these terms make no sense.
  [[nodiscard]] bool add(std::uint64_t number, std::span<const std::byte> payload,
                         const HelpTerms& terms);
  /// Nothing is copied for announcement `number` any more.
  void remove(std::uint64_t number) noexcept;
  /// Copies the next chunk. Returns its bytes; 0: there is none.
  std::size_t work() noexcept;
  /// Another payload has its turn.
  void turn() noexcept;
  bool empty() const noexcept { return helps_.empty(); }
  void clear() noexcept;

 private:
  struct Help {
    std::uint64_t number = 0;
    std::span<const std::byte> payload;
    HelpTerms terms;
    local::ChunkHelper chunks;
    base::ListNode node{};
  };

  Help* find(std::uint64_t number) noexcept;
  void copyChunk(Help& help, std::uint32_t chunk) noexcept;
  void erase(Help& help) noexcept;

  Port& port_;
  base::List<Help, &Help::node> helps_;  // oldest first
};

}  // namespace ucxx::core
