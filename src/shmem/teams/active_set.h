// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "shmem/teams/team.h"

// Active sets, the older way to name the PEs of a collective (deprecated since OpenSHMEM 1.5). Each
// set and pSync array becomes a team when it is used first, and stays one.
//
// Programs take two pSync arrays in turn and call without a barrier, with one dest. They count on
// libraries in which a PE that is in the next call writes into the dest of another only when that
// one is in that call as well, and so has done with the result of the call before. The teams of
// active sets keep that (`is_active_set`); the standard's teams need not.

namespace ucxx::shmem {

/// PE_start, logPE_stride, PE_size of the program.
struct ActiveSet {
  int start, log_stride, size;
};

/// The team of a set, for its members; makes it when they call first. pSync is as before on return.
Team& teamOf(const ActiveSet& set, long* psync, const char* call) noexcept;

/// Memory is given back, on all PEs, and nobody is in a collective of a set whose pSync lies there.
void forgetActiveSets(const void* block, std::size_t bytes) noexcept;
/// At the last finalize.
void forgetAllActiveSets() noexcept;

}  // namespace ucxx::shmem
