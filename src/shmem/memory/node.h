// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "shmem/memory/control.h"

namespace ucxx::shmem {

/// How this process sees the memory of the PEs. One for the process, since OpenSHMEM has one set of
/// functions; written while it becomes a PE or is initialised, when no other thread calls. What
/// each access reads comes first, in one cache line.
struct alignas(kLine) Node {
  std::byte* heap = nullptr;  ///< the local PE's
  /// Accesses to so many bytes of the heap, and of the static variables, take the fast path. 0:
  /// each takes the slow one, which checks its arguments (with SHMEM_DEBUG, before init, after
  /// finalize, in a forked child).
  std::size_t fast_heap = 0, fast_statics = 0;
  std::size_t slot_bytes = 0;
  std::size_t own_shift = 0;           ///< of the local slot against that of PE 0
  std::byte* slots = nullptr;          ///< that of PE 0
  std::byte* statics = nullptr;        ///< where the program has them
  std::byte* first_statics = nullptr;  ///< those of PE 0, in its slot
  bool must_fence = false;

  int me = 0, pes = 0;
  int polls = 0;            ///< how often a wait looks before it lets others run
  bool is_crowded = false;  ///< there are more PEs than processors that they may use
  std::size_t heap_bytes = 0, statics_bytes = 0;
  std::size_t team_bytes = 0;
  Common* common = nullptr;
  bool is_running = false;  ///< between init and the last finalize
  bool is_debug = false;    ///< SHMEM_DEBUG
  bool is_forked = false;   ///< a child of a PE
};

extern constinit Node node;

inline Control& controlAt(std::size_t shift) noexcept {
  return *reinterpret_cast<Control*>(node.slots + shift);
}
inline std::size_t shiftOf(int pe) noexcept {
  return static_cast<std::size_t>(pe) * node.slot_bytes;
}
inline Control& controlOf(int pe) noexcept { return controlAt(shiftOf(pe)); }
inline Control& ownControl() noexcept { return controlAt(node.own_shift); }

}  // namespace ucxx::shmem
