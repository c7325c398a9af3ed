// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

// The memory that the PEs of a machine share: one sparse memfd, which each PE maps once and whole.
//
//   | Common | unused | slot of PE 0 | slot of PE 1 | ...
//
//   a slot:  | Control | flags of each team | heap | statics |
//
// A symmetric object lies at the same offset in each slot, so a peer's copy of it is found by one
// addition, and nothing needs a table of addresses.

namespace ucxx::shmem {

/// Teams that a job may have at once, the predefined ones included.
inline constexpr std::size_t kMostTeams = 16384;
/// More PEs than that no machine has processors for.
inline constexpr int kMostPes = 65536;

/// Each heap begins at a multiple of that, in each PE: so shmem_align can give it. The memory
/// begins at one as well, and slots are multiples of it long.
inline constexpr std::size_t kSlotAlignment = std::size_t{64} << 20;
/// Everything begins where a huge page may.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Half of the addresses that a process has: all memory of a job, and so the most that a heap may
/// be.
inline constexpr std::uint64_t kMostJobBytes = std::uint64_t{1} << 46;
/// The same limit, as every message says it.
inline constexpr const char* kMostJobBytesText =
    "all PEs of a job together have at most 64t (2^46 bytes)";

constexpr std::size_t roundUp(std::size_t value, std::size_t to) noexcept {
  return (value + to - 1) / to * to;
}

/// Where everything lies, in bytes. Whoever makes the memory computes it once; the others are told.
struct Layout {
  std::uint64_t pes = 0;
  std::uint64_t slot_bytes = 0;
  std::uint64_t team_bytes = 0;  ///< the flags of one team
  std::uint64_t heap_offset = 0, heap_bytes = 0;
  std::uint64_t statics_offset = 0, statics_bytes = 0;

  static Layout of(std::size_t pes, std::size_t heap_bytes, std::size_t statics_bytes) noexcept;
  std::size_t bytes() const noexcept;
  std::size_t slotOffset(std::size_t pe) const noexcept;
  bool operator==(const Layout&) const = default;
};

}  // namespace ucxx::shmem
