// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "base/shared_memory.h"
#include "shmem/memory/layout.h"

// The memory of the node in this process: mapped once, and never unmapped, since the program's
// static variables may lie in it.

namespace ucxx::shmem {

/// Maps it, and lets `node` know; throws ucxx::Error with the reason. `memory` is of
/// `layout.bytes()`.
void adoptSegment(base::SharedMemory memory, const Layout& layout, int pe);
/// Gives what each PE writes at the start, and before it can tell others of an error, its pages; so
/// does `adoptSegment`. Throws NO_MEMORY.
void populateFixedParts(base::SharedMemory& memory, const Layout& layout, int pe);
/// For the fork handler of a child: it may read the memory, and is killed where it writes.
void protectInChild() noexcept;
bool hasSegment() noexcept;
const Layout& layout() noexcept;

/// Of the memory, to hand it out or to map parts of it once more.
int segmentDescriptor() noexcept;

/// Gives a part of the heap, or the static variables, pages; false: the machine has no room for
/// them beside what it has promised to all PEs (base/memory_budget.h), or the system has no more.
bool populate(const void* begin, std::size_t bytes) noexcept;
/// Gives flags of a team, some KiB at most, their pages: outside of the budget, since an active set
/// cannot be refused them. Some may be there.
bool populateFlags(const void* begin, std::size_t bytes) noexcept;
/// Takes the pages away that `populate` gave.
void discard(const void* begin, std::size_t bytes) noexcept;

}  // namespace ucxx::shmem
