// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/phases.h"

namespace ucxx::kills {

enum class Kind : std::uint8_t { Tag, Am, AmDevice, Stream, Multi, OneSided, Prepared, Armed };
/// What survivors and victim send each other, or do to each other's memory.
struct Protocol {
  std::string_view name;
  Kind kind;
  std::vector<std::size_t> sizes;
};
const std::vector<Protocol>& protocols();

/// Who moves a worker.
/// Poll: bare calls of `progress`; Wait: the library's waits for a request; Sleep: a descriptor.
enum class Mode : std::uint8_t { Poll, Sleep, ThreadBlocking, ThreadAdaptive, Wait, ThreadPolling };
inline constexpr std::string_view kModes[] = {
    "poll", "sleep", "thread-blocking", "thread-adaptive", "wait", "thread-polling"};
constexpr bool hasThread(Mode mode) {
  return mode != Mode::Poll && mode != Mode::Sleep && mode != Mode::Wait;
}
enum class Meeting : std::uint8_t { VictimCalls, VictimIsCalled, Addresses };
enum class Fault : std::uint8_t { Kill, StopAndGo, StopAndKill };
inline constexpr std::string_view kFaults[] = {"kill", "stop-go", "stop-kill"};

/// What the user asks for; empty: anything.
struct Filter {
  unsigned channel = 0;  ///< what it is of kOfChannel
  bool has_phases = true;
  std::optional<std::size_t> protocol;
  std::optional<base::Phase> phase;
  std::optional<Mode> mode;  ///< of the survivor
  std::optional<Fault> fault;
};

/// All that is random in a run. Times in microseconds.
struct Plan {
  std::uint64_t run = 0;
  std::size_t protocol = 0;
  std::size_t size = 8;
  bool victim_sends = true, victim_receives = false;
  Mode survivor_mode = Mode::Poll, victim_mode = Mode::Poll;
  Meeting meeting = Meeting::VictimCalls;
  Fault fault = Fault::Kill;
  base::Phase phase = base::Phase::None;
  int passes = 1;
  bool early = false;  ///< `delay` begins with the meeting, not with the first message
  int delay = 0;       ///< without a phase
  int stop = 0;        ///< how long it is stopped, at least
  std::size_t window = 4;
  int pace = 0;                  ///< between messages of the victim
  int lazy = 0;                  ///< the survivor looks so rarely
  int close_after = 0;           ///< messages; 0: never
  bool survivor_closes = false;  ///< else the victim
  bool closes_endpoint = false;  ///< while the victim is stopped at a phase; else what is prepared

  /// There the survivor closes, and only then the victim goes on or is killed.
  bool stopsAtPhase() const { return phase != base::Phase::None && fault != Fault::Kill; }
  Kind kind() const { return protocols()[protocol].kind; }
};

/// The same for the same arguments.
Plan planFor(std::uint64_t seed, std::uint64_t run, const Filter& filter);

}  // namespace ucxx::kills
