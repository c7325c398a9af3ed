// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shmem/memory/layout.h"

namespace ucxx::shmem {

inline constexpr std::size_t kLine = 64;
inline constexpr std::size_t kPage = 4096;

/// How far a PE has come. `oshrun` reads it when a PE ends.
enum class PeState : std::uint32_t {
  Absent,     ///< has not mapped the memory
  Attached,   ///< not initialised, or finalised and not initialised again
  Running,    ///< between shmem_init and the last shmem_finalize
  Finalized,  ///< after the last shmem_finalize
};

/// Wakes threads of a PE. Whoever stores what they may wait for looks here after the store.
struct Doorbell {
  std::atomic<std::uint32_t> is_announced;  ///< 1: a sleep has been, and nobody has rung since
  std::atomic<std::uint32_t> rings;         ///< a shared futex: each ring adds one
};

/// What a PE tells about itself, in the first page of its slot. Written by that PE, the bells by
/// all; nothing here is trusted by `oshrun`.
struct Control {
  /// Until the program's own memory changes; and until a flag of the library does, so that a put
  /// wakes nobody who is in a barrier.
  alignas(kLine) Doorbell for_accesses;
  Doorbell for_flags;

  alignas(kLine) std::atomic<PeState> state;
  std::atomic<std::int32_t> pid;
  std::atomic<std::uint32_t> phase;  ///< how often it has been initialised
  /// Bring your own: what tells the process from another one that has its number later.
  std::atomic<std::uint64_t> start_time;

  /// A long wait: the name of the function, or empty; whom it waits for, or -1; how many long waits
  /// there were. A wait is long when it has begun to yield.
  alignas(kLine) std::array<std::atomic<char>, 48> call;
  std::atomic<std::int32_t> awaited;
  std::atomic<std::uint32_t> waits;

  /// 1: somebody is at a value that is longer than a word (access/locked.h).
  alignas(kLine) std::atomic<std::uint32_t> long_values;
};
static_assert(sizeof(Control) <= kPage);

/// The lowest 8 bits of a status, and a bit that says that it is one.
constexpr std::uint32_t exitWord(int status) noexcept {
  return 256U | (static_cast<std::uint32_t>(status) & 255U);
}
constexpr int exitStatusOf(std::uint32_t word) noexcept { return static_cast<int>(word & 255U); }

/// Bring your own: whether all PEs have the memory.
enum class HandOut : std::uint32_t { None, AllHere, Refused };

/// What belongs to no PE, at the begin of the memory.
struct Common {
  /// 0, or `exitWord` of the first shmem_global_exit.
  alignas(kLine) std::atomic<std::uint32_t> exit_status;
  /// Not 0: some PE has SHMEM_DEBUG, so all check their arguments.
  std::atomic<std::uint32_t> debug;
  /// Not 0: the kernel of some PE refuses foreign fences, so whoever stores fences itself.
  std::atomic<std::uint32_t> must_fence;
  /// On which processors the PEs may run: a bit each.
  alignas(kLine) std::array<std::atomic<std::uint64_t>, 1024 / 64> processors;
  /// The newest even and the newest odd operation on the heap for which a PE had no memory: a PE
  /// may be one operation ahead of another.
  alignas(kLine) std::array<std::atomic<std::uint64_t>, 2> failed_allocations;
  /// Bytes of memory that PEs have been granted and that have no pages yet (memory_budget.h).
  alignas(kLine) std::atomic<std::uint64_t> promised_bytes;
  /// Which numbers of teams are taken: a bit each.
  alignas(kLine) std::array<std::atomic<std::uint64_t>, kMostTeams / 64> teams;
  /// Bring your own: written by PE 0; and the reason, which ends with 0, before it.
  alignas(kLine) std::atomic<HandOut> hand_out;
  char refusal[512];
};
inline constexpr std::size_t kCommonBytes = roundUp(sizeof(Common), kPage);

}  // namespace ucxx::shmem
