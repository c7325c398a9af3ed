// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/phases.h"

namespace ucxx::kills {

/// What a run must be like for its victim to get to a phase: a bit for each.
inline constexpr unsigned kLocal = 1 << 0;           ///< the local channel
inline constexpr unsigned kRendezvous = 1 << 1;      ///< messages that are announced
inline constexpr unsigned kLargeRecords = 1 << 2;    ///< messages of several lines
inline constexpr unsigned kVictimSends = 1 << 3;     ///< payload
inline constexpr unsigned kVictimReceives = 1 << 4;  ///< payload
inline constexpr unsigned kVictimCalls = 1 << 5;
inline constexpr unsigned kVictimIsCalled = 1 << 6;
inline constexpr unsigned kVictimSleeps = 1 << 7;
inline constexpr unsigned kSurvivorSleeps = 1 << 8;
inline constexpr unsigned kFullRing = 1 << 9;  ///< the survivor is slower than the victim
inline constexpr unsigned kVictimCloses = 1 << 10;
inline constexpr unsigned kSurvivorCloses = 1 << 11;
inline constexpr unsigned kPieces = 1 << 12;    ///< payloads that come in pieces ...
inline constexpr unsigned kCopies = 1 << 13;    ///< ... or are copied by the receiver
inline constexpr unsigned kDevice = 1 << 14;    ///< payload in a device's memory
inline constexpr unsigned kAccess = 1 << 15;    ///< one-sided operations
inline constexpr unsigned kPrepared = 1 << 16;  ///< prepared transfers
inline constexpr unsigned kPushes = 1 << 17;    ///< ... into memory that the sender maps
inline constexpr unsigned kArmed = 1 << 18;     ///< transfers that wait for a condition
/// The victim is about to write into the survivor's memory, or has just done it: it is also stopped
/// there while the survivor closes.
inline constexpr unsigned kReachesIn = 1 << 19;
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
