// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <span>

namespace ucxx::shmem {

/// The global and static variables of the executable: whole pages behind what the loader makes
/// read-only. Empty: the executable does not link this library itself, so they are not symmetric
/// (a Python interpreter), or they cannot be found.
std::span<std::byte> findStatics() noexcept;

/// Moves them into the local slot: their addresses stay, and the memory there becomes that of the
/// slot. For a constructor, before the program has threads. Throws ucxx::Error. Where the machine
/// has no memory for them the program ends, with a message: it would run with variables that no
/// peer can reach.
void mapStatics(std::span<std::byte> statics);

/// They stay where they are: for one PE, which has no peers that could reach them.
void keepStatics(std::span<std::byte> statics) noexcept;

/// @name Around a fork: the child gets a copy of its own of what its parent shares with the other
/// PEs
/// @{
void copyForChild() noexcept;      ///< before
void dropCopyForChild() noexcept;  ///< in the parent
void separateStatics() noexcept;   ///< in the child
/// @}

}  // namespace ucxx::shmem
