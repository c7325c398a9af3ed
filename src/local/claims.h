// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Who has a message whose payload is still with its sender: the receiver, which has begun to take
// it, or the sender, which has recalled it. Each sets a bit of its own, and whoever was first has
// the message; so neither waits for the other, which may be stopped or dead.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ucxx::local {

/// In shared memory, the sender's: three bits for each message that is in it. A peer that writes
/// nonsense here makes its own messages wait, or have other bytes.
struct ClaimMemory {
  static constexpr std::uint32_t kClaims = 4096;
  static constexpr std::uint32_t kBits = 3;
  static constexpr std::uint32_t kPerWord = 64 / kBits;
  std::atomic<std::uint64_t> words[(kClaims + kPerWord - 1) / kPerWord];
};

/// One message in it; 0: none, nobody can tell.
using Claim = std::uint16_t;

/// @name The receiver
/// @{
/// The message is the receiver's from now on. False: its sender has recalled it.
bool take(ClaimMemory& memory, Claim claim) noexcept;
bool isRecalled(const ClaimMemory& memory, Claim claim) noexcept;
/// Of one that is recalled: what was sent after it is not to be received in its place.
bool leavesGap(const ClaimMemory& memory, Claim claim) noexcept;
/// @}

/// What a recalled message leaves in the order of those around it.
enum class Recalled { AsIfNeverSent, Gap };

/// The sender: which claims stand for messages.
class Claims {
 public:
  /// One that nobody has set a bit of, for one message; 0: all are in use. Throws `std::bad_alloc`.
  Claim open(ClaimMemory& memory);
  /// Its receiver will not look at it any more.
  void close(Claim claim) noexcept { free_.push_back(claim); }
  /// The message is the sender's again. False: its receiver has begun to take it.
  static bool recall(ClaimMemory& memory, Claim claim,
                     Recalled how = Recalled::AsIfNeverSent) noexcept;

 private:
  std::vector<Claim> free_;
  Claim used_ = 0;  // those up to it have been in use
};

}  // namespace ucxx::local
