// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <vector>

#include "shmem/check.h"

// Teams to call collectives on: in the order of the job and against it, with gaps, of one PE.

namespace ucxx::test {

/// Members of a new team of PEs start, start + stride, ... of `parent`.
inline shmem_team_t splitTeam(shmem_team_t parent, int start, int stride, int size) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  CHECK_EQ(shmem_team_split_strided(parent, start, stride, size, nullptr, 0, &team), 0);
  return team;
}

class SomeTeams {
 public:
  SomeTeams() {
    const int pes = shmem_n_pes(), last = pes - 1;
    add(0, 1, pes);
    add(last, -1, pes);
    add(0, 2, (pes + 1) / 2);
    add(last, -2, (pes + 1) / 2);
    add(0, 1, (pes + 1) / 2);
    add(last, 0, 1);
    add(0, pes > 2 ? last : 1, pes > 1 ? 2 : 1);
  }
  ~SomeTeams() {
    for (const shmem_team_t team : teams_) shmem_team_destroy(team);
  }
  SomeTeams(const SomeTeams&) = delete;
  SomeTeams& operator=(const SomeTeams&) = delete;

  static constexpr std::size_t kCount = 9;

  /// Calls action(team, index) for each that this PE is in. PEs that are in few of them run ahead,
  /// so a buffer that others write into is of one index.
  template <class Action>
  void forEach(const Action& action) const {
    for (std::size_t index = 0; index < teams_.size(); ++index) {
      if (teams_[index] != SHMEM_TEAM_INVALID) action(teams_[index], index);
    }
    action(SHMEM_TEAM_SHARED, teams_.size());
    action(SHMEM_TEAM_WORLD, teams_.size() + 1);
  }

 private:
  void add(int start, int stride, int size) {
    teams_.push_back(splitTeam(SHMEM_TEAM_WORLD, start, stride, size));
  }

  std::vector<shmem_team_t> teams_;
};

/// The number in the job of a member.
inline int peOf(shmem_team_t team, int member) {
  return shmem_team_translate_pe(team, member, SHMEM_TEAM_WORLD);
}

}  // namespace ucxx::test
