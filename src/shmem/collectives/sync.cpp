// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/collectives/sync.h"

#include "base/phase.h"

namespace ucxx::shmem {
namespace {

void wakeAll(const Team& team) noexcept {
  for (int member = 0; member < team.size; ++member)
    wakeIfAsleep(controlOf(team.peOf(member)).for_flags);
}

/// One that has not come, for messages; nobody can tell which.
constexpr int kUnknown = -1;

}  // namespace

void syncByCount(const Team& team, std::uint64_t turn, const char* call) noexcept {
  TeamFlags& first = flagsOf(team, 0);
  const auto size = static_cast<std::uint64_t>(team.size);
  if ((first.arrivals.value.fetch_add(1, std::memory_order_acq_rel) + 1) % size == 0) {
    first.released.value.store(turn, std::memory_order_release);
    wakeAll(team);
  } else {
    base::reached(base::Phase::PeCounted);
    await(first.released.value, turn, call, kUnknown);
  }
}

}  // namespace ucxx::shmem
