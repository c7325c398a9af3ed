// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "shmem/teams/team.h"

// What SHMEM_DEBUG checks of a call, beside the addresses (locate.h). A check that fails ends the
// program with a message that names the function, the argument, its value and what would be right.

namespace ucxx::shmem {

/// An argument that is to be the same on all members.
struct Argument {
  const char* name;
  std::uint64_t value;
};
inline constexpr std::size_t kMostArguments = 7;

/// Ends the program unless all members call the same function with the same arguments. A collective
/// operation of the team; without SHMEM_DEBUG it does nothing.
void compareArguments(Team& team, std::initializer_list<Argument> arguments,
                      const char* call) noexcept;

/// A buffer of the program that need not be symmetric.
void checkLocal(const void* buffer, std::size_t bytes, const char* name, const char* call) noexcept;

/// Two ranges of bytes, both at local addresses.
void checkApart(const void* one, std::size_t one_bytes, const void* other, std::size_t other_bytes,
                const char* call) noexcept;

/// The buffers of a collective, which are the same on all members. Those of a reduction may be one
/// buffer. That they are symmetric is always checked.
struct Buffers {
  const void* dest;
  std::size_t dest_bytes;
  const void* source;
  std::size_t source_bytes;
  bool may_be_one = false;
};
void checkBuffers(Team& team, const Buffers& buffers, const char* call) noexcept;

}  // namespace ucxx::shmem
