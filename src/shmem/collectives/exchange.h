// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstring>

#include "base/phase.h"
#include "shmem/collectives/sync.h"

namespace ucxx::shmem {

/// One step of a collective in which each member tells all others that it has come, with up to
/// Arrival::kRoom bytes. Two sets of arrivals take turns: nobody begins a step before all have
/// begun the one before it, and so have read those of the step before that.
class Exchange {
 public:
  explicit Exchange(Team& team, const char* call) noexcept
      : team_(team), turn_(++team.exchanges), call_(call) {}

  /// Tells one other member that this PE has come, and publishes what it has stored before.
  void tell(int member, const void* data, std::size_t bytes) const noexcept {
    Arrival& arrival = arrivalsOf(team_, member, turn_)[team_.me];
    if (bytes != 0) std::memcpy(arrival.data.data(), data, bytes);
    raise(arrival.value, turn_, controlOf(team_.peOf(member)));
    base::reached(base::Phase::PeArrived);
  }
  /// Tells all others the same.
  void arrive(const void* data = nullptr, std::size_t bytes = 0) const noexcept {
    forEachOther(team_, [&](int member) { tell(member, data, bytes); });
  }

  /// Waits for another member; returns its data.
  const std::byte* await(int member) const noexcept {
    Arrival& arrival = arrivalsOf(team_, team_.me, turn_)[member];
    shmem::await(arrival.value, turn_, call_, team_.peOf(member));
    return arrival.data.data();
  }
  void awaitAll() const noexcept {
    forEachOther(team_, [&](int member) { await(member); });
  }

 private:
  Team& team_;
  const std::uint64_t turn_;
  const char* const call_;
};

/// Returns when all members have come; publishes the stores of each to all.
inline void meet(Team& team, const char* call) noexcept {
  const Exchange exchange(team, call);
  exchange.arrive();
  exchange.awaitAll();
}

}  // namespace ucxx::shmem
