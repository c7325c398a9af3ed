// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include "base/clock.h"
#include "shmem/oshrun/ending.h"
#include "shmem/oshrun/long_waits.h"
#include "shmem/oshrun/memory.h"
#include "shmem/oshrun/missed.h"
#include "shmem/oshrun/options.h"
#include "shmem/oshrun/outputs.h"
#include "shmem/oshrun/pe.h"

namespace ucxx::shmem::oshrun {

/// Decides whether the job must end, says why, and begins the end. The first reason counts.
class Outcome {
 public:
  Outcome(const Options& options, const Pes& pes, const JobMemory& memory, Outputs& outputs,
          Ending& ending);

  void onEnd(const Pe& pe);
  void onGlobalExit(const Pe& pe, int status);
  void onRefused(const std::string& reason, int status);
  void onSignal(int number);
  void onGuardKilled(pid_t guard);

  base::TimePoint next() const noexcept;
  void onTime(base::TimePoint now);

 private:
  void exitAll(const std::string& who, int status);
  void onTimeout();
  void lookForFailure();
  bool haveSettled() const;
  void tellFailure();
  void lookForMissed();

  const Options& options_;
  const Pes& pes_;
  const JobMemory& memory_;
  Outputs& outputs_;
  Ending& ending_;
  Missed missed_;
  LongWaits waits_;             ///< after a failure
  const Pe* failed_ = nullptr;  ///< the first one, until that is told
  base::TimePoint tell_at_latest_ = base::TimePoint::max();
  base::TimePoint look_for_failure_ = base::TimePoint::max();
  base::TimePoint look_for_missed_ = base::TimePoint::max();
  base::TimePoint timeout_ = base::TimePoint::max();
};

}  // namespace ucxx::shmem::oshrun
