// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/stops.h"

#include <algorithm>

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include "shmem/oshrun/messages.h"

namespace ucxx::shmem::oshrun {
namespace {

constexpr auto kLong = std::chrono::seconds(10);

/// A terminal has stopped the whole job, and its user knows.
bool isOfTerminal(int number) noexcept {
  return number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

base::TimePoint whenToTell(const Pe& pe) noexcept {
  if (!pe.isStopped() || pe.end || pe.stop_told || isOfTerminal(pe.stop_signal))
    return base::TimePoint::max();
  return pe.stopped + kLong;
}

}  // namespace

void noteStop(Pe& pe, int change) {
  pe.stop_told = false;
  pe.stopped = WIFSTOPPED(change) ? base::Clock::now() : base::TimePoint::max();
  pe.stop_signal = WIFSTOPPED(change) ? WSTOPSIG(change) : 0;
}

base::TimePoint nextStopToTell(const Pes& pes) noexcept {
  base::TimePoint next = base::TimePoint::max();
  for (const Pe& pe : pes) next = std::min(next, whenToTell(pe));
  return next;
}

std::vector<std::string> stopsToTell(Pes& pes, base::TimePoint now) {
  std::vector<std::string> texts;
  for (Pe& pe : pes) {
    if (now < whenToTell(pe)) continue;
    pe.stop_told = true;
    texts.push_back(
        fmt::format("{} is stopped (signal {}); the job waits for it", nameOf(pe), pe.stop_signal));
  }
  return texts;
}

}  // namespace ucxx::shmem::oshrun
