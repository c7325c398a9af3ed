// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/phase.h"
#include "shmem/teams/team.h"
#include "shmem/waiting/waiting.h"

namespace ucxx::shmem {

/// Publishes a flag of a member, and what was stored before it.
inline void raise(std::atomic<std::uint64_t>& flag, std::uint64_t value, Control& owner) noexcept {
  flag.store(value, std::memory_order_release);
  wakeIfAsleep(owner.for_flags);
}

/// Waits until a flag has come to a value.
inline void await(const std::atomic<std::uint64_t>& flag, std::uint64_t value, const char* call,
                  int awaited) noexcept {
  waitForFlags([&] { return flag.load(std::memory_order_acquire) >= value; }, call, awaited);
}

/// A dissemination barrier (Hensgen, Finkel and Manber 1988): in round r each member tells the one
/// 2^r after it.
inline void syncByRounds(const Team& team, std::uint64_t turn, const char* call) noexcept {
  TeamFlags& own = ownFlags(team);
  const int size = team.size;
  for (int round = 0, distance = 1; distance < size; ++round, distance *= 2) {
    int to = team.me + distance, from = team.me - distance;
    if (to >= size) to -= size;
    if (from < 0) from += size;
    const std::size_t shift = shiftOf(team.peOf(to));
    const auto index = static_cast<std::size_t>(round);
    raise(flagsAt(team, shift).rounds[index].value, turn, controlAt(shift));
    base::reached(base::Phase::PeRaised);
    await(own.rounds[index].value, turn, call, team.peOf(from));
  }
}

/// Counts all members in one place. Where they share processors each runs twice at most, to come
/// and to leave; in rounds it would be once for each round.
void syncByCount(const Team& team, std::uint64_t turn, const char* call) noexcept;

/// Returns when all members have called it; publishes the stores of each to all.
inline void sync(Team& team, const char* call) noexcept {
  const std::uint64_t turn = ++team.syncs;
  if (node.is_crowded) [[unlikely]]
    return syncByCount(team, turn, call);
  syncByRounds(team, turn, call);
}

}  // namespace ucxx::shmem
