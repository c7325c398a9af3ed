// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/phases.h"

namespace ucxx::kills {

/// What a run must be like for its victim to get to a phase.
enum Need : unsigned {
  kLocal = 1 << 0,           ///< the local channel
  kRendezvous = 1 << 1,      ///< messages that are announced
  kLargeRecords = 1 << 2,    ///< messages of several lines
  kVictimSends = 1 << 3,     ///< payload
  kVictimReceives = 1 << 4,  ///< payload
  kVictimCalls = 1 << 5,
  kVictimIsCalled = 1 << 6,
  kVictimSleeps = 1 << 7,
  kSurvivorSleeps = 1 << 8,
  kFullRing = 1 << 9,  ///< the survivor is slower than the victim
  kVictimCloses = 1 << 10,
  kSurvivorCloses = 1 << 11,
  kPieces = 1 << 12,  ///< payloads that come in pieces ...
  kCopies = 1 << 13,  ///< ... or are copied by the receiver
};
/// Those that the channel decides.
inline constexpr unsigned kOfChannel = kLocal | kPieces | kCopies;

struct PhaseInfo {
  base::Phase phase;
  std::string_view name;
  unsigned needs;
  int most_passes;  ///< before the victim stops; of what happens once or twice: that
};

/// Every phase but None.
std::span<const PhaseInfo> allPhases();
const PhaseInfo& infoOf(base::Phase phase);
/// "random" for None.
std::string_view nameOf(base::Phase phase);

}  // namespace ucxx::kills
