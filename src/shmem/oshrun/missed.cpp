// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/missed.h"

#include <algorithm>

namespace ucxx::shmem::oshrun {
namespace {

/// A PE that waits looks every 10 ms whether what it waits for has come. So many looks later it has
/// not come, though the one who must bring it is gone.
constexpr int kLooksForOne = 3;
/// Whom they wait for is not known: all of them, longer.
constexpr int kLooksForAll = 10;

bool hasLeftEarly(const Pe& pe, const JobMemory& memory) {
  return pe.end && memory.stateOf(pe.number) != PeState::Finalized;
}

/// A PE that left early, else one that left after shmem_finalize: the others were initialised
/// again.
std::optional<int> anyThatLeft(const Pes& pes, const JobMemory& memory) {
  auto left =
      std::find_if(pes.begin(), pes.end(), [&](const Pe& pe) { return hasLeftEarly(pe, memory); });
  if (left == pes.end())
    left = std::find_if(pes.begin(), pes.end(), [](const Pe& pe) { return pe.end.has_value(); });
  if (left == pes.end()) return std::nullopt;
  return left->number;
}

}  // namespace

std::optional<int> Missed::look(const Pes& pes, const JobMemory& memory) {
  waits_.look(pes, memory);
  if (const auto awaited = awaitedByOne(pes, memory)) return awaited;
  return doAllWait(pes) ? anyThatLeft(pes, memory) : std::nullopt;
}

std::optional<int> Missed::awaitedByOne(const Pes& pes, const JobMemory& memory) const {
  for (const Pe& pe : pes) {
    const LongWaits::Seen& seen = waits_.of(pe);
    if (seen.looks <= kLooksForOne) continue;
    const auto awaited = static_cast<std::size_t>(seen.wait->awaited);
    if (awaited < pes.size() && hasLeftEarly(pes[awaited], memory)) return seen.wait->awaited;
  }
  return std::nullopt;
}

bool Missed::doAllWait(const Pes& pes) const {
  return std::all_of(pes.begin(), pes.end(),
                     [this](const Pe& pe) { return pe.end || waits_.of(pe).looks > kLooksForAll; });
}

}  // namespace ucxx::shmem::oshrun
