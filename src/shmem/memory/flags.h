// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shmem/memory/control.h"

namespace ucxx::shmem {

/// A word that other PEs write and one PE waits for, alone in its cache line. It counts up and is
/// never reset while its team lives, so a flag that comes early is not lost.
struct alignas(kLine) Flag {
  std::atomic<std::uint64_t> value;
};

/// A flag with what comes with it, in the same cache line: a count, or small data.
struct alignas(kLine) Arrival {
  static constexpr std::size_t kRoom = kLine - sizeof(std::uint64_t);
  std::atomic<std::uint64_t> value;
  std::array<std::byte, kRoom> data;
};

/// A dissemination barrier of 65,536 PEs has so many.
inline constexpr std::size_t kRounds = 16;

/// A member's flags of one team, in its slot. Behind them lie two sets of arrivals, one for each
/// member of the team (exchange.h), and for each as a root the number of its newest broadcast
/// (broadcast.cpp).
struct TeamFlags {
  std::array<Flag, kRounds> rounds;  ///< sync: the member that is 2^round before has come
  Flag arrivals;                     ///< of member 0, sync in a crowd: how often one has come
  Flag released;                     ///< ... and how often all have
  Flag readers;                      ///< how often a member has read this member's broadcast
  Flag ready;                        ///< how often a member has come to a broadcast of this one
  Flag left;                         ///< of member 0: how many have left the team for good
  std::array<Flag, 2> offers;        ///< the number of a new team, and whether (split.cpp)
  /// With SHMEM_DEBUG: what this member was called with, to compare (arguments.h).
  alignas(kLine) std::array<std::atomic<std::uint64_t>, 8> arguments;
  Flag failed_split;  ///< at member 0: the newest split for which a member had no memory
};

constexpr std::size_t teamBytes(std::size_t pes) noexcept {
  const std::size_t roots = (pes * sizeof(std::uint64_t) + kLine - 1) / kLine * kLine;
  return sizeof(TeamFlags) + 2 * pes * sizeof(Arrival) + roots;
}

}  // namespace ucxx::shmem
