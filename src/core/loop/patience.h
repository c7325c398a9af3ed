// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace ucxx::core {

/// How long a thread that waits looks in vain before it sleeps: what it knows of its looks, and of
/// others that want its processor. While it looks, whoever runs on the same processor does nothing,
/// and it may be that one that is waited for. So a thread from which the kernel has taken the
/// processor lately sleeps at once, some times; and so does one whose looks were in vain several
/// times running. One for each thread, for all workers that it moves.
class Patience {
 public:
  static Patience& ofThisThread() noexcept;

  /// A look has found something, or a new wait begins.
  void begin() noexcept {
    if (looks_ == 0) return;
    looks_ = 0;
    vain_waits_ = 0;
  }
  /// A look at `now` was in vain. True: it is time to sleep. `longest`: how long to look where
  /// nobody else wants the processor.
  [[nodiscard]] bool isOver(base::TimePoint now, base::Duration longest) noexcept {
    return sleepsAtOnce() || isLookingOver(now, longest);
  }
  /// As `isOver`, where a payload is under way that a peer has to move. A peer that runs on another
  /// processor moves a part of it in less time; so where that time is over, the peer needs this
  /// processor.
  [[nodiscard]] bool isOverForPayload(base::TimePoint now) noexcept {
    if (sleepsAtOnce()) return true;
    if (!isLookingOver(now, kLongestForPayload)) return false;
    if (sleeps_at_once_ < kFewestSleeps) expectCompany();
    return true;
  }

  /// As `isOver`, for a thread that polls: its looks go on for ever where nobody wants the
  /// processor.
  [[nodiscard]] bool isOverForPolling() noexcept {
    if (sleepsAtOnce()) return true;
    const std::uint64_t cycles = base::cycles();
    if (cycles - asked_at_ < kCyclesToQuestion) return false;
    asked_at_ = cycles;
    return hasCompanyInPolling();
  }

 private:
  /// About 100 us.
  static constexpr std::uint64_t kCyclesToQuestion = 250'000;
  static constexpr base::Duration kLongestForPayload = std::chrono::microseconds(200);
  /// Sleeps without a look before: a preemption may come from the kernel's own threads, and where
  /// processors are free a sleep costs more than it brings. If it goes on there are more and more.
  static constexpr std::uint32_t kFewestSleeps = 16;
  /// To ask the kernel takes a third of a microsecond: not in shorter waits.
  static constexpr base::Duration kMoment = std::chrono::microseconds(3);

  bool sleepsAtOnce() noexcept {
    if (sleeps_at_once_ == 0) return false;
    --sleeps_at_once_;
    return true;
  }
  bool isLookingOver(base::TimePoint now, base::Duration longest) noexcept {
    if (looks_++ == 0) return isFirstOver(now, longest);
    return now - since_ >= kMoment && isMomentOver(now, longest);
  }
  bool isFirstOver(base::TimePoint now, base::Duration longest) noexcept {
    since_ = now;
    has_asked_ = false;
    return longest.count() == 0;
  }
  bool isMomentOver(base::TimePoint now, base::Duration longest) noexcept;
  bool hasCompanyInPolling() noexcept;
  bool wasPreempted() noexcept;
  void expectCompany() noexcept;
  void lookedInVain() noexcept;

  std::uint32_t looks_ = 0;       // in vain, one after the other, of a wait that is not over
  std::uint32_t vain_waits_ = 0;  // one after the other, without a look that found anything
  bool has_asked_ = false;        // since the first look of this wait
  bool knows_count_ = false;
  base::TimePoint since_{};  // of the first look of this wait
  std::uint64_t preemptions_ = 0;
  std::uint64_t asked_at_ = 0;        // by who polls, in cycles
  std::uint32_t sleeps_at_once_ = 0;  // to come
  std::uint32_t company_ = 0;         // how many there were the last time
};

}  // namespace ucxx::core
