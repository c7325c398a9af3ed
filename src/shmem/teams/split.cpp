// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/teams/split.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "shmem/checks/arguments.h"
#include "shmem/checks/failure.h"
#include "shmem/collectives/sync.h"
#include "shmem/teams/context.h"

// How the members of a new team agree on its number, and so on where its flags lie:
//
//   its first member takes a number and offers it, in its flags of the parent
//   -- sync of the parent --
//   each member reads the offer, and gives its own flags pages; who cannot says so
//   -- sync of the parent --
//   each looks whether anybody could not

namespace ucxx::shmem {
namespace {

std::mutex teams_mutex;
std::vector<Team*> teams;  // but the predefined ones

/// One of the teams that a split makes: the one the local PE is in, if it is in any.
struct Part {
  Triplet members;  ///< in numbers of the parent
  int index;        ///< which of the parent's offers
  Team* team = nullptr;
};

/// In numbers of the job. With one member any stride is right, and means nothing.
Triplet pesOf(const Team& parent, const Triplet& members) noexcept {
  const int stride = members.size == 1 ? 1 : members.stride * parent.stride;
  return {parent.peOf(members.start), stride, members.size};
}

std::atomic<std::uint64_t>& offerOf(Team& parent, const Part& part) noexcept {
  return flagsOf(parent, part.members.start).offers[static_cast<std::size_t>(part.index)].value;
}

/// The first member of the part takes a number for it.
void offer(Team& parent, const Part& part) noexcept {
  if (parent.me == part.members.start)
    offerOf(parent, part).store(takeTeamId(), std::memory_order_release);
}

/// False: this PE cannot.
bool accept(Team& parent, Part& part, const TeamConfig& config) noexcept {
  const std::uint64_t id = offerOf(parent, part).load(std::memory_order_acquire);
  if (id >= kMostTeams) return false;
  part.team = addTeam(pesOf(parent, part.members), static_cast<std::uint32_t>(id));
  if (part.team == nullptr) return false;
  if ((config.mask & SHMEM_TEAM_NUM_CONTEXTS) != 0) part.team->config = *config.config;
  return prepareFlags(*part.team, part.team->me);
}

void withdraw(Team& parent, Part& part) noexcept {
  const std::uint64_t id = offerOf(parent, part).load(std::memory_order_acquire);
  if (parent.me == part.members.start && id < kMostTeams)
    returnTeamId(static_cast<std::uint32_t>(id));
  removeTeam(std::exchange(part.team, nullptr));
}

/// All members of the parent, with the parts that they are in: none, one or two.
struct Wish {
  Part part;
  const TeamConfig& config;
};
int make(Team& parent, Wish* first, Wish* last, const char* call) noexcept {
  const std::uint64_t turn = ++parent.splits;
  auto& failed = flagsOf(parent, 0).failed_split.value;
  for (Wish* wish = first; wish != last; ++wish) offer(parent, wish->part);
  base::reached(base::Phase::PeOffered);
  sync(parent, call);
  for (Wish* wish = first; wish != last; ++wish) {
    if (!accept(parent, wish->part, wish->config)) failed.store(turn, std::memory_order_release);
  }
  sync(parent, call);
  if (failed.load(std::memory_order_acquire) != turn) return 0;
  for (Wish* wish = first; wish != last; ++wish) withdraw(parent, wish->part);
  sync(parent, call);  // nobody looks at the offers any more
  return 1;
}

bool isWithin(const Triplet& members, int size) noexcept {
  if (members.size < 1 || members.start < 0 || members.start >= size) return false;
  if (members.stride == 0) return members.size == 1;
  const long last = members.start + static_cast<long>(members.size - 1) * members.stride;
  return last >= 0 && last < size;
}

}  // namespace

Team* addTeam(const Triplet& pes, std::uint32_t id) noexcept try {
  auto team = std::make_unique<Team>();
  static_cast<Triplet&>(*team) = pes;
  team->me = team->memberOf(node.me);
  team->id = id;
  const std::lock_guard lock(teams_mutex);
  teams.push_back(team.get());
  return team.release();
} catch (const std::bad_alloc&) {
  return nullptr;
}

void removeTeam(Team* team) noexcept {
  const std::lock_guard lock(teams_mutex);
  std::erase(teams, team);
  delete team;
}

int splitStrided(Team& parent, const Triplet& members, const TeamConfig& config, Team*& result,
                 const char* call) noexcept {
  result = nullptr;
  compareArguments(parent,
                   {{"start", static_cast<std::uint64_t>(members.start)},
                    {"stride", static_cast<std::uint64_t>(members.stride)},
                    {"size", static_cast<std::uint64_t>(members.size)}},
                   call);
  if (!isWithin(members, parent.size)) {
    if (node.is_debug)
      warn(call, "start %d, stride %d and size %d are not within a team of %d PEs", members.start,
           members.stride, members.size, parent.size);
    return 1;
  }
  Wish wish{{members, 0}, config};
  Wish* const end = members.memberOf(parent.me) >= 0 ? &wish + 1 : &wish;
  const int status = make(parent, &wish, end, call);
  result = wish.part.team;
  return status;
}

int splitGrid(Team& parent, int row_length, const TeamConfig& row_config,
              const TeamConfig& column_config, Team*& row, Team*& column,
              const char* call) noexcept {
  row = column = nullptr;
  compareArguments(parent, {{"xrange", static_cast<std::uint64_t>(row_length)}}, call);
  if (row_length < 1) {
    if (node.is_debug) warn(call, "rows of %d PEs: a row has at least one", row_length);
    return 1;
  }
  const int length = std::min(row_length, parent.size);
  const int x = parent.me % length, y = parent.me / length;
  const int first = y * length;
  const int rows_at_x = (parent.size - x + length - 1) / length;
  std::array<Wish, 2> wishes{
      Wish{{{first, 1, std::min(length, parent.size - first)}, 0}, row_config},
      Wish{{{x, length, rows_at_x}, 1}, column_config}};
  const int status = make(parent, wishes.data(), wishes.data() + wishes.size(), call);
  row = wishes[0].part.team;
  column = wishes[1].part.team;
  return status;
}

namespace {

/// The number may be another team's, and the flags be set to their begin, when no member touches
/// them any more.
void leave(Team& team, const char* call) noexcept {
  Flag& left = flagsOf(team, 0).left;
  if (team.me != 0) {
    left.value.fetch_add(1, std::memory_order_release);
    wakeIfAsleep(controlOf(team.peOf(0)).for_flags);
  } else {
    await(left.value, static_cast<std::uint64_t>(team.size - 1), call, -1);
    returnTeamId(team.id);
  }
}

}  // namespace

void destroyTeam(Team* team, const char* call) noexcept {
  if (team == nullptr) return;
  if (team == &world_team || team == &shared_team) {
    warn(call, "a predefined team cannot be destroyed");
    return;
  }
  destroyContextsOf(*team);
  leave(*team, call);
  removeTeam(team);
}

void destroyAllTeams() noexcept {
  destroyContextsOf(world_team);
  destroyContextsOf(shared_team);
  const std::lock_guard lock(teams_mutex);
  for (Team* const team : teams) {
    destroyContextsOf(*team);
    if (team->me == 0) returnTeamId(team->id);
    delete team;
  }
  teams.clear();
}

}  // namespace ucxx::shmem
