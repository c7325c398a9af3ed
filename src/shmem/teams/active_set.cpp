// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/teams/active_set.h"

#include <atomic>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>

#include "base/immortal.h"
#include "shmem/checks/failure.h"
#include "shmem/memory/locate.h"
#include "shmem/teams/split.h"
#include "shmem/waiting/waiting.h"

namespace ucxx::shmem {
namespace {

struct Key {
  const void* psync;
  int start, log_stride, size;
  auto operator<=>(const Key&) const = default;
};

using Teams = std::map<Key, Team*>;

std::mutex sets_mutex;

Teams& teams() noexcept {
  static base::Immortal<Teams> instance;
  return *instance;
}

Triplet pesOf(const ActiveSet& set, const char* call) noexcept {
  const bool has_stride = set.log_stride >= 0 && set.log_stride < 31;
  const long last = has_stride ? set.start + ((set.size - 1L) << set.log_stride) : -1;
  if (set.size < 1 || set.start < 0 || last < 0 || last >= node.pes)
    fail(call, "PE_start %d, logPE_stride %d and PE_size %d are no set of the %d PEs", set.start,
         set.log_stride, set.size, node.pes);
  return {set.start, 1 << set.log_stride, set.size};
}

std::atomic<long>& wordAt(long* psync, int pe, const char* call) noexcept {
  return *reinterpret_cast<std::atomic<long>*>(locate(psync, sizeof *psync, pe, call).address);
}

[[noreturn]] void failNoMemory(const char* call) noexcept {
  fail(call, "no memory for the flags of an active set");
}

Team& addActiveSet(const Triplet& pes, std::uint32_t id, const char* call) noexcept {
  Team* const team = addTeam(pes, id);
  if (team == nullptr) failNoMemory(call);
  team->is_active_set = true;
  return *team;
}

/// The first member takes a number and makes the flags of all ready, before any other knows it.
Team& makeTeam(const Triplet& pes, long* psync, const char* call) noexcept {
  const std::uint32_t id = takeTeamId();
  if (id >= kMostTeams)
    fail(call, "there are %zu teams and active sets, and no more at once", kMostTeams);
  Team& team = addActiveSet(pes, id, call);
  for (int member = 0; member < team.size; ++member) {
    if (!prepareFlags(team, member)) failNoMemory(call);
  }
  for (int member = 1; member < team.size; ++member) {
    const int pe = team.peOf(member);
    wordAt(psync, pe, call).store(id + 1L, std::memory_order_release);
    wakeIfAsleep(controlOf(pe).for_flags);
  }
  return team;
}

/// The others find the number in their pSync.
Team& joinTeam(const Triplet& pes, long* psync, const char* call) noexcept {
  std::atomic<long>& word = wordAt(psync, node.me, call);
  const auto is_told = [&] { return word.load(std::memory_order_acquire) != SHMEM_SYNC_VALUE; };
  waitForFlags(is_told, call, pes.start);
  const long id = word.exchange(SHMEM_SYNC_VALUE, std::memory_order_relaxed) - 1;
  if (id < 0 || id >= static_cast<long>(kMostTeams))
    fail(call, "pSync begins with %ld: give all elements SHMEM_SYNC_VALUE before its first use",
         id + 1);
  return addActiveSet(pes, static_cast<std::uint32_t>(id), call);
}

Team* knownTeam(const Key& key) noexcept {
  const std::lock_guard lock(sets_mutex);
  const auto found = teams().find(key);
  return found == teams().end() ? nullptr : found->second;
}

void remember(const Key& key, Team& team, const char* call) noexcept try {
  const std::lock_guard lock(sets_mutex);
  teams().emplace(key, &team);
} catch (const std::bad_alloc&) {
  failNoMemory(call);
}

void forget(Team* team) noexcept {
  if (team->me == 0) returnTeamId(team->id);
  removeTeam(team);
}

}  // namespace

Team& teamOf(const ActiveSet& set, long* psync, const char* call) noexcept {
  if (!node.is_running) failNotRunning(call);
  const Key key{psync, set.start, set.log_stride, set.size};
  if (Team* const team = knownTeam(key)) return *team;
  const Triplet pes = pesOf(set, call);
  if (pes.memberOf(node.me) < 0) fail(call, "the local PE is not in the active set");
  Team& team = node.me == pes.start ? makeTeam(pes, psync, call) : joinTeam(pes, psync, call);
  remember(key, team, call);
  return team;
}

void forgetActiveSets(const void* block, std::size_t bytes) noexcept {
  const auto* const begin = static_cast<const std::byte*>(block);
  const std::lock_guard lock(sets_mutex);
  std::erase_if(teams(), [&](const auto& entry) {
    const auto* const psync = static_cast<const std::byte*>(entry.first.psync);
    if (psync < begin || psync >= begin + bytes) return false;
    forget(entry.second);
    return true;
  });
}

void forgetAllActiveSets() noexcept {
  const std::lock_guard lock(sets_mutex);
  for (const auto& entry : teams()) forget(entry.second);
  teams().clear();
}

}  // namespace ucxx::shmem
