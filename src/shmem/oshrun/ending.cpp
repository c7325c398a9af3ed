// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/ending.h"

#include <signal.h>

namespace ucxx::shmem::oshrun {
namespace {

constexpr auto kToLeave = std::chrono::seconds(1);

}  // namespace

void Ending::begin(int status, base::Duration grace) {
  if (hasBegun()) return;
  status_ = status;
  enter(Step::Grace, grace);
  if (grace == base::Duration::zero()) onTime(next_);
}

void Ending::hurry() {
  enter(Step::Kill, Descendants::kToDie);
  signal(SIGKILL);
}

bool Ending::isDone() const {
  if (step_ == Step::GiveUp) return true;
  return hasBegun() && haveAllEnded(pes_) && !descendants_.areLeft();
}

void Ending::onEnd(pid_t pid) {
  descendants_.forget(pid);
  if (step_ == Step::Terminate) descendants_.signal(SIGTERM, pes_);
  if (step_ == Step::Kill) descendants_.signal(SIGKILL, pes_);
  if (step_ == Step::Grace && haveAllEnded(pes_)) onTime(next_);
}

void Ending::onTime(base::TimePoint now) {
  if (now < next_) return;
  if (step_ == Step::Grace) {
    enter(Step::Terminate, kToLeave);
    signal(SIGTERM);
  } else if (step_ == Step::Terminate) {
    hurry();
  } else {
    enter(Step::GiveUp, Descendants::kToDie);
  }
}

void Ending::enter(Step step, base::Duration until_next) {
  step_ = step;
  next_ = base::deadlineAfter(until_next);
}

void Ending::signal(int number) {
  signalAll(pes_, number);
  descendants_.signal(number, pes_);
}

}  // namespace ucxx::shmem::oshrun
