// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/patience.h"

#include <algorithm>
#include <utility>

#include <sys/resource.h>

namespace ucxx::core {
namespace {

/// A program may do something else between two looks: time alone says little.
constexpr std::uint32_t kFewLooks = 64;
constexpr std::uint32_t kMostSleeps = 1024;
/// A peer that has been late so often will be late again: from then on sleeps without a look
/// before, twice as many each time, but not for long, since it may answer fast again.
constexpr std::uint32_t kFewVainWaits = 4;
constexpr std::uint32_t kMostVainWaits = kFewVainWaits + 5;

/// How often others have taken the processor from this thread while it had something to do.
std::uint64_t preemptions() noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return static_cast<std::uint64_t>(usage.ru_nivcsw);
}

}  // namespace

Patience& Patience::ofThisThread() noexcept {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local Patience patience;
  return patience;
}

bool Patience::isMomentOver(base::TimePoint now, base::Duration longest) noexcept {
  if (!std::exchange(has_asked_, true)) {
    if (wasPreempted()) {
      expectCompany();
      return true;
    }
    company_ /= 2;
  }
  if (looks_ < kFewLooks || now - since_ < longest) return false;
  lookedInVain();
  return true;
}

void Patience::lookedInVain() noexcept {
  looks_ = 0;
  vain_waits_ = std::min(vain_waits_ + 1, kMostVainWaits);
  if (vain_waits_ >= kFewVainWaits) sleeps_at_once_ = 1U << (vain_waits_ - kFewVainWaits);
}

/// A time slice brings many questions and one preemption: it forgets slowly.
bool Patience::hasCompanyInPolling() noexcept {
  const bool has_company = wasPreempted();
  if (has_company)
    expectCompany();
  else
    company_ -= (company_ + 63) / 64;
  return has_company;
}

/// Since it was asked the last time.
bool Patience::wasPreempted() noexcept {
  const std::uint64_t before = std::exchange(preemptions_, preemptions());
  return std::exchange(knows_count_, true) && preemptions_ != before;
}

void Patience::expectCompany() noexcept {
  company_ = std::clamp(company_ * 4, kFewestSleeps, kMostSleeps);
  sleeps_at_once_ = company_;
  looks_ = 0;
}

}  // namespace ucxx::core
