// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/teams/team.h"

#include <bit>
#include <new>

#include "shmem/memory/segment.h"

namespace ucxx::shmem {

Team world_team, shared_team;

namespace {

constexpr std::uint32_t kWorldId = 0, kSharedId = 1;

void beginTeam(Team& team, std::uint32_t id) noexcept {
  static_cast<Triplet&>(team) = {0, 1, node.pes};
  team.me = node.me;
  team.id = id;
}

}  // namespace

int Triplet::memberOf(int pe) const noexcept {
  if (stride == 0) return pe == start ? 0 : -1;
  const int distance = pe - start;
  if (distance % stride != 0) return -1;
  const int member = distance / stride;
  return member >= 0 && member < size ? member : -1;
}

shmem_team_t handleOf(Team& team) noexcept {
  if (&team == &world_team) return SHMEM_TEAM_WORLD;
  if (&team == &shared_team) return SHMEM_TEAM_SHARED;
  return reinterpret_cast<shmem_team_t>(&team);
}

bool prepareFlags(const Team& team, int member) noexcept {
  TeamFlags& flags = flagsOf(team, member);
  if (!populateFlags(&flags, node.team_bytes)) return false;
  new (&flags) TeamFlags{};
  for (const std::uint64_t turn : {0U, 1U}) {
    Arrival* const first = arrivalsOf(team, member, turn);
    for (int other = 0; other < node.pes; ++other) new (first + other) Arrival{};
  }
  for (int other = 0; other < node.pes; ++other) rootsOf(team, member)[other].store(0);
  return true;
}

// The lowest free bit of the first word that has one.
std::uint32_t takeTeamId() noexcept {
  auto& words = node.common->teams;
  for (std::size_t word = 0; word < words.size(); ++word) {
    std::uint64_t taken = words[word].load(std::memory_order_relaxed);
    while (~taken != 0) {
      const auto bit = static_cast<unsigned>(std::countr_one(taken));
      if (words[word].compare_exchange_weak(taken, taken | std::uint64_t{1} << bit))
        return static_cast<std::uint32_t>(word * 64 + bit);
    }
  }
  return kMostTeams;
}

void returnTeamId(std::uint32_t id) noexcept {
  node.common->teams[id / 64].fetch_and(~(std::uint64_t{1} << id % 64));
}

// All PEs take the two numbers; the pages of their flags are zeros, since nobody had them before.
void beginPredefinedTeams() noexcept {
  node.common->teams[0].fetch_or(std::uint64_t{1} << kWorldId | std::uint64_t{1} << kSharedId);
  beginTeam(world_team, kWorldId);
  beginTeam(shared_team, kSharedId);
}

}  // namespace ucxx::shmem
