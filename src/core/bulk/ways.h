// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bulk/way_choice.h"
#include "local/way.h"

namespace ucxx::core {

class Port;

/// In which ways the payloads of a peer on this machine come, and how long they take: of each size
/// class a choice. The peer is told by a word that it reads before each fragment (Channel::want).
/// Part of a link.
class Ways {
 public:
  explicit Ways(Port& port) noexcept : port_(port) {}
  Ways(const Ways&) = delete;
  Ways& operator=(const Ways&) = delete;

  /// The channel is there, or the kernel copies no longer.
  void begin() noexcept;
  /// One comes that is not measured.
  void passesBy(std::size_t size) noexcept;
  /// The way of an announced payload that is fetched now. Through the ring it needs its sender:
  /// `is_sender_there`.
  Way choose(std::size_t size, bool is_sender_there) const noexcept;

  /// @name Payloads under way
  /// They are measured while all that are under way are of one class, and what comes comes in one
  /// way.
  /// @{
  /// `cycles_before`: it began so long ago.
  void begins(std::size_t size, Way way, std::uint64_t cycles_before = 0) noexcept;
  /// Bytes of one have come.
  void came(std::size_t bytes, Way way) noexcept;
  /// One has ended, with all its bytes or not.
  void ends(bool whole) noexcept;
  /// @}

 private:
  void start(Way way, std::uint64_t now) noexcept;
  void measure() noexcept;
  void say(unsigned size_class) noexcept;

  Port& port_;
  std::array<WayChoice, local::kSizeClasses> choices_;
  std::size_t under_way_ = 0;
  unsigned class_ = 0;
  bool is_mixed_ = false;  // until nothing is under way
  Way way_ = Way::Cached;
  std::size_t bytes_ = 0;    // that have come in that way since `since_`
  std::uint64_t since_ = 0;  // cycles
};

}  // namespace ucxx::core
