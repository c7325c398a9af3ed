// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/outcome.h"

#include <algorithm>

#include <fmt/format.h>

#include "shmem/oshrun/messages.h"
#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

/// The message of a failure names the calls that wait for the PE. Others may be about to leave one
/// call and to enter the next, so it comes when all have been in one for a while, or after so long.
constexpr auto kUntilTold = std::chrono::milliseconds(500);
constexpr auto kBetweenLooks = std::chrono::milliseconds(4);
constexpr int kLooksToSettle = 5;
/// After shmem_global_exit, to leave by themselves.
constexpr auto kToExit = std::chrono::milliseconds(500);
constexpr base::TimePoint kNever = base::TimePoint::max();

bool needsOthers(const Pe& pe, const JobMemory& memory) {
  return memory.isMade() && !pe.end && memory.stateOf(pe.number) != PeState::Finalized;
}

}  // namespace

Outcome::Outcome(const Options& options, const Pes& pes, const JobMemory& memory, Outputs& outputs,
                 Ending& ending)
    : options_(options), pes_(pes), memory_(memory), outputs_(outputs), ending_(ending) {
  if (options.timeout != base::Duration::zero()) timeout_ = base::deadlineAfter(options.timeout);
}

void Outcome::onEnd(const Pe& pe) {
  if (ending_.hasBegun()) return;
  if (const auto status = memory_.exitStatus(); status && failed_ == nullptr) {
    exitAll("a PE", *status);
  } else if (failed_ != nullptr) {
    lookForFailure();
  } else if (hasFailed(*pe.end)) {
    failed_ = &pe;
    look_for_missed_ = kNever;
    tell_at_latest_ = base::deadlineAfter(kUntilTold);
    lookForFailure();
  } else if (haveAllEnded(pes_)) {
    ending_.begin(0);
  } else if (look_for_missed_ == kNever) {
    look_for_missed_ = base::Clock::now();
  }
}

void Outcome::onGlobalExit(const Pe& pe, int status) {
  if (failed_ == nullptr && !ending_.hasBegun()) exitAll(fmt::format("PE {}", pe.number), status);
}

void Outcome::exitAll(const std::string& who, int status) {
  if (status != 0) outputs_.say(fmt::format("{} called shmem_global_exit({})", who, status));
  ending_.begin(status & 0xff, kToExit);
}

void Outcome::onRefused(const std::string& reason, int status) {
  if (ending_.hasBegun()) return;
  outputs_.say(reason);
  ending_.begin(status);
}

void Outcome::onSignal(int number) {
  if (ending_.isDone()) return outputs_.drop();
  if (ending_.hasBegun()) return ending_.hurry();
  if (failed_ != nullptr) return tellFailure();
  outputs_.say(fmt::format("received {}{}", signalText(number), callsText(callsOf(pes_, memory_))));
  ending_.begin(kSignalled + number);
}

/// Nobody asks for the status any more.
void Outcome::onGuardKilled(pid_t guard) {
  if (ending_.hasBegun()) return;
  outputs_.say(fmt::format("the process of oshrun that was started (pid {}) was killed{}", guard,
                           callsText(callsOf(pes_, memory_))));
  ending_.begin(kJobFailed);
}

base::TimePoint Outcome::next() const noexcept {
  if (ending_.hasBegun()) return kNever;
  return std::min({timeout_, look_for_failure_, look_for_missed_});
}

void Outcome::onTime(base::TimePoint now) {
  if (ending_.hasBegun()) return;
  if (now >= look_for_failure_) lookForFailure();
  if (now >= look_for_missed_) lookForMissed();
  if (now >= timeout_) onTimeout();
}

void Outcome::onTimeout() {
  if (ending_.hasBegun()) return;
  const std::chrono::duration<double> seconds = options_.timeout;
  outputs_.say(fmt::format("the job has not ended within {} s (--timeout){}", seconds.count(),
                           callsText(allCallsOf(pes_, memory_))));
  ending_.begin(kTimedOut);
}

void Outcome::lookForFailure() {
  waits_.look(pes_, memory_);
  if (base::Clock::now() >= tell_at_latest_ || haveSettled()) return tellFailure();
  look_for_failure_ = base::deadlineAfter(kBetweenLooks);
}

bool Outcome::haveSettled() const {
  return std::all_of(pes_.begin(), pes_.end(), [this](const Pe& pe) {
    return !needsOthers(pe, memory_) || waits_.of(pe).looks > kLooksToSettle;
  });
}

void Outcome::tellFailure() {
  outputs_.say(endOf(*failed_) + callsText(callsOf(pes_, memory_)));
  ending_.begin(exitStatus(*failed_->end));
}

void Outcome::lookForMissed() {
  look_for_missed_ = base::deadlineAfter(Missed::kBetweenLooks);
  const auto missed = missed_.look(pes_, memory_);
  if (!missed) return;
  const Pe& pe = pes_[static_cast<std::size_t>(*missed)];
  outputs_.say(leavingOf(pe, memory_.stateOf(*missed)) + callsText(callsOf(pes_, memory_)));
  ending_.begin(kJobFailed);
}

}  // namespace ucxx::shmem::oshrun
