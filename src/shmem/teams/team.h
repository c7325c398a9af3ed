// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <ucxx_shmem/types.h>

#include "shmem/memory/flags.h"
#include "shmem/memory/node.h"

namespace ucxx::shmem {

struct Context;

/// The members start, start + stride, ...: of the job, or of a team. The stride may be negative; it
/// is 0 only with one member.
struct Triplet {
  int start = 0, stride = 1, size = 0;

  int peOf(int member) const noexcept { return start + member * stride; }
  /// The number of a PE among the members; -1: it is none.
  int memberOf(int pe) const noexcept;
};

/// What a handle of the program stands for. Each member has an object of its own; the counts tell
/// how many collectives this PE has begun, and are equal on all members, since all call in the same
/// order. One thread at a time is in a collective of a team.
struct Team : Triplet {
  int me = 0;  ///< the local PE's number in it
  std::uint32_t id = 0;
  bool is_active_set = false;  ///< a member's dest is not written before it is in the call

  std::uint64_t syncs = 0;       ///< sync.h
  std::uint64_t exchanges = 0;   ///< exchange.h
  std::uint64_t broadcasts = 0;  ///< collectives/broadcast.cpp
  std::uint64_t reads = 0;       ///< of this PE's broadcasts by others
  std::uint64_t ready = 0;       ///< how often others were ready for one of this PE
  std::uint64_t splits = 0;      ///< split.h

  shmem_team_config_t config{};
  std::mutex mutex;                ///< of what follows
  std::vector<Context*> contexts;  ///< that are destroyed with the team
};

extern Team world_team, shared_team;

/// Null for SHMEM_TEAM_INVALID.
inline Team* teamOf(shmem_team_t handle) noexcept {
  if (handle == SHMEM_TEAM_WORLD) return &world_team;
  if (handle == SHMEM_TEAM_SHARED) return &shared_team;
  return reinterpret_cast<Team*>(handle);
}
shmem_team_t handleOf(Team& team) noexcept;

inline TeamFlags& flagsAt(const Team& team, std::size_t shift) noexcept {
  return *reinterpret_cast<TeamFlags*>(node.slots + shift + kPage + team.id * node.team_bytes);
}
/// Those of a member, in its slot.
inline TeamFlags& flagsOf(const Team& team, int member) noexcept {
  return flagsAt(team, shiftOf(team.peOf(member)));
}
inline TeamFlags& ownFlags(const Team& team) noexcept { return flagsAt(team, node.own_shift); }
/// What each member writes when it arrives, in the slot of `member`.
inline Arrival* arrivalsOf(const Team& team, int member, std::uint64_t turn) noexcept {
  auto* const first = reinterpret_cast<Arrival*>(&flagsOf(team, member) + 1);
  return first + (turn & 1) * static_cast<std::size_t>(node.pes);
}

/// What each member writes as the root of a broadcast, in the slot of `member`.
inline std::atomic<std::uint64_t>* rootsOf(const Team& team, int member) noexcept {
  return reinterpret_cast<std::atomic<std::uint64_t>*>(arrivalsOf(team, member, 0) +
                                                       2 * static_cast<std::size_t>(node.pes));
}

/// Calls `action(member)` for all but the local one. Each member begins elsewhere.
template <class Action>
inline void forEachOther(const Team& team, const Action& action) noexcept {
  for (int step = 1; step < team.size; ++step) action((team.me + step) % team.size);
}

/// Gives a member's flags of a team pages, and sets them to their begin, while nobody uses them.
/// False: no memory.
bool prepareFlags(const Team& team, int member) noexcept;

/// A number that no other team has; kMostTeams: all are taken.
std::uint32_t takeTeamId() noexcept;
void returnTeamId(std::uint32_t id) noexcept;

/// The predefined teams, at init: both have all PEs.
void beginPredefinedTeams() noexcept;

}  // namespace ucxx::shmem
