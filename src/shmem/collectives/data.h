// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include "shmem/teams/team.h"

// Collectives that move data. Sizes are in bytes. `dest` and `source` are symmetric. A member's
// dest may be written before it has called, but not in an active set; its source is not read
// before. On return the local dest is complete and nobody reads the local source any more; what
// other members have done is not known.

namespace ucxx::shmem {

/// Source of `root`, to dest of all; not to the root's own where `with_root` is false (active
/// sets).
void broadcast(Team& team, void* dest, const void* source, std::size_t bytes, int root,
               bool with_root, const char* call) noexcept;

/// The sources of all, of `bytes` each, joined in the order of the members.
void fcollect(Team& team, void* dest, const void* source, std::size_t bytes,
              const char* call) noexcept;

/// The same where each member has as many as it likes. False, on all members, when these are more
/// together than a member has room for in dest; then nothing has been written.
bool collect(Team& team, void* dest, std::size_t room, const void* source, std::size_t bytes,
             const char* call) noexcept;
/// What the standard's functions say of the room: nothing.
inline constexpr std::size_t kRoomNotSaid = SIZE_MAX;

/// Block i of source to member i, which has it as block `me`.
void alltoall(Team& team, void* dest, const void* source, std::size_t bytes,
              const char* call) noexcept;

/// Blocks of elements that are apart from each other.
struct Elements {
  std::size_t bytes;                          ///< of an element
  std::size_t count;                          ///< in each block
  std::ptrdiff_t dest_stride, source_stride;  ///< in elements
};
void alltoalls(Team& team, void* dest, const void* source, const Elements& elements,
               const char* call) noexcept;

}  // namespace ucxx::shmem
