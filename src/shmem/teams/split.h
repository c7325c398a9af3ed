// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/teams/team.h"

namespace ucxx::shmem {

/// What the program asks of a new team.
struct TeamConfig {
  const shmem_team_config_t* config;
  long mask;
};

/// shmem_team_split_strided, for all members of `parent`, in its numbers. Returns 0, and the team
/// or, where the local PE is no member, null; not 0 and null on all when it cannot be made.
int splitStrided(Team& parent, const Triplet& members, const TeamConfig& config, Team*& result,
                 const char* call) noexcept;

/// shmem_team_split_2d, likewise: the row and the column of the local PE.
int splitGrid(Team& parent, int row_length, const TeamConfig& row_config,
              const TeamConfig& column_config, Team*& row, Team*& column,
              const char* call) noexcept;

/// For all members; null and the predefined teams: nothing. With the contexts of the team.
void destroyTeam(Team* team, const char* call) noexcept;

/// At the last finalize: all that are left.
void destroyAllTeams() noexcept;

/// The local object of a team with that number; null: no memory. Its flags are made ready by others
/// (prepareFlags).
Team* addTeam(const Triplet& pes, std::uint32_t id) noexcept;
void removeTeam(Team* team) noexcept;

}  // namespace ucxx::shmem
