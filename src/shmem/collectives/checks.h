// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/checks/arguments.h"
#include "shmem/checks/failure.h"
#include "shmem/teams/team.h"

namespace ucxx::shmem {

/// With SHMEM_DEBUG.
inline void checkRoot(const Team& team, int root, const char* call) noexcept {
  if (node.is_debug && (root < 0 || root >= team.size))
    fail(call, "PE_root %d does not exist: the last PE of the team is %d", root, team.size - 1);
}

/// What the functions of teams have in common: 1 for SHMEM_TEAM_INVALID, else 0 after `work`.
template <class Work>
inline int onTeam(shmem_team_t handle, const char* call, const Work& work) noexcept {
  Team* const team = teamOf(handle);
  if (team == nullptr) return 1;
  requireRunning(call);
  work(*team);
  return 0;
}

}  // namespace ucxx::shmem
