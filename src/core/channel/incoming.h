// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/wire/wire.h"
#include "local/claims.h"

namespace ucxx::core {

class EndpointState;
struct Operation;

/// A payload that is still with its sender, to be fetched or dropped: announced by UCX, or by the
/// header of the library. As a condition: whether there is one.
struct Announcement {
  /// In place of an address, where no memory is.
  static constexpr std::uint64_t kNone = 0, kOnDevice = 1, kOnDeviceByHandle = 2, kLeastAddress = 3;

  std::uint64_t number = 0;  ///< by which both sides know it; 0: UCX has announced it
  union {
    void* ucx = nullptr;
    std::uint64_t address;  ///< in the sender's memory, beside a number; 0: not to be copied
  };
  bool isOnDevice() const noexcept {
    return number != 0 && (address == kOnDevice || address == kOnDeviceByHandle);
  }
  bool hasHandle() const noexcept { return number != 0 && address == kOnDeviceByHandle; }
  bool hasAddress() const noexcept { return number != 0 && address >= kLeastAddress; }
  explicit operator bool() const noexcept { return ucx != nullptr || number != 0; }
};

/// A message while it arrives: valid during the call that hands it on. Its payload is bytes (all of
/// them, or the first of several fragments) or an announcement that is to be fetched or dropped.
struct Incoming {
  WireHeader header;
  std::span<const std::byte> prologue;  ///< active messages: what follows the header
  const void* bytes = nullptr;
  std::size_t size = 0;  ///< of `bytes`
  Announcement announcement;
  local::Claim claim = 0;            ///< by which its sender may recall it; 0: by none
  Operation* sender = nullptr;       ///< self channel: whose buffer `bytes` is
  mutable bool sender_kept = false;  ///< the sender waits until somebody takes them
  EndpointState* endpoint =
      nullptr;  ///< the pair's end on this side, if it matters; null when it is gone
};

}  // namespace ucxx::core
