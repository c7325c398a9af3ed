// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/clock.h"
#include "shmem/oshrun/descendants.h"
#include "shmem/oshrun/pe.h"

namespace ucxx::shmem::oshrun {

/// Ends what is left of the job: SIGTERM to all of it, a second later SIGKILL.
class Ending {
 public:
  explicit Ending(const Pes& pes) : pes_(pes) {}

  /// The first status is that of oshrun. What leaves within `grace` has no SIGTERM.
  void begin(int status, base::Duration grace = {});
  /// SIGKILL now.
  void hurry();
  bool hasBegun() const noexcept { return step_ != Step::None; }
  /// Nothing is left, or nothing can be done about it.
  bool isDone() const;
  int status() const noexcept { return status_; }

  /// A child of oshrun, a PE or not, has ended: perhaps there are new ones.
  void onEnd(pid_t pid);
  base::TimePoint next() const noexcept { return next_; }
  void onTime(base::TimePoint now);

 private:
  enum class Step { None, Grace, Terminate, Kill, GiveUp };
  void enter(Step step, base::Duration until_next);
  void signal(int number);

  const Pes& pes_;
  Descendants descendants_;
  Step step_ = Step::None;
  int status_ = 0;
  base::TimePoint next_ = base::TimePoint::max();
};

}  // namespace ucxx::shmem::oshrun
