// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/waiting/waiting.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <mutex>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/phase.h"
#include "shmem/joining/exit.h"
#include "shmem/joining/peers.h"
#include "shmem/waiting/wait_check.h"

namespace ucxx::shmem {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// So long a wait lets others run between two looks, before it sleeps. The longer time is for the
/// first sleep of a PE that has a processor: a put of 8 MiB takes 350 us, and a wake-up 70 us more.
/// A ring may be for what nobody awaits, so the time after it is the shorter one.
constexpr auto kYieldsAtFirst = microseconds(500), kYields = microseconds(50);
constexpr int kPollsBetweenYields = 10;
constexpr long kSleepNanoseconds = 10'000'000;
/// The first sleep after an announcement is short: the fence may have missed a writer
/// (foreign_fence.h). Its store is there when this has passed, and whoever stores later sees the
/// announcement.
constexpr long kFirstSleepNanoseconds = 1'000'000;
/// Peers that no launcher watches are looked at so often.
constexpr auto kPeersEvery = milliseconds(100);

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) noexcept {
  return ::syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

void tellCall(const char* call) noexcept {
  auto& told = ownControl().call;
  const std::size_t length = std::min(std::strlen(call), told.size() - 1);
  for (std::size_t i = 1; i < length; ++i) told[i].store(call[i], std::memory_order_relaxed);
  told[length].store('\0', std::memory_order_relaxed);
  told[0].store(call[0], std::memory_order_release);
}

/// Tells `oshrun` what the PE does, as long as it lives; of several threads that wait, what one
/// does.
class LongWait {
 public:
  LongWait(const char* call, int awaited) noexcept : call_(call), awaited_(awaited) {
    const std::lock_guard lock(mutex);
    ++waits;
    tell();
  }
  ~LongWait() {
    const std::lock_guard lock(mutex);
    if (--waits == 0) ownControl().call[0].store('\0', std::memory_order_release);
  }
  LongWait(const LongWait&) = delete;
  LongWait& operator=(const LongWait&) = delete;

  /// How many long waits of all threads have been told.
  static std::uint32_t count() noexcept {
    return ownControl().waits.load(std::memory_order_relaxed);
  }
  void tellAgain() noexcept {
    const std::lock_guard lock(mutex);
    tell();
  }

 private:
  void tell() noexcept {
    ownControl().awaited.store(awaited_, std::memory_order_relaxed);
    ownControl().waits.fetch_add(1, std::memory_order_relaxed);
    tellCall(call_);
  }

  static inline std::mutex mutex;
  static inline int waits = 0;  // of all threads
  const char* const call_;
  const int awaited_;
};

bool holdsAfterSomePolls(const Condition& condition) noexcept {
  for (int polls = 0; polls < kPollsBetweenYields; ++polls) {
    if (condition.holds(condition.context)) return true;
    relax();
  }
  return false;
}

bool holdsWhileOthersRun(const Condition& condition, microseconds yields) noexcept {
  const base::TimePoint end = base::Clock::now() + yields;
  do {
    ::sched_yield();
    if (holdsAfterSomePolls(condition)) return true;
  } while (base::Clock::now() < end);
  return false;
}

/// Looks now and then, in a wait, whether the peers are alive.
class PeerLooks {
 public:
  explicit PeerLooks(const char* call) noexcept : call_(call) {}

  void lookIfDue() noexcept {
    if (base::Clock::now() < next_) return;
    requirePeersAlive(call_);
    next_ = base::Clock::now() + kPeersEvery;
  }

 private:
  const char* const call_;
  base::TimePoint next_ = base::Clock::now() + kPeersEvery;
};

/// What a long wait does when it does not look at its condition.
class Meanwhile {
 public:
  Meanwhile(const char* call, int awaited, bool can_be_left) noexcept
      : told_(call, awaited), peers_(call), can_be_left_(can_be_left) {}

  /// To be called after each sleep. False: the wait is to be left.
  bool goesOn(bool is_interrupted) noexcept {
    peers_.lookIfDue();
    if (!can_be_left_) return true;
    const std::uint32_t before = LongWait::count();
    const bool is_left = isWaitToBeLeft(is_interrupted);
    if (LongWait::count() != before) told_.tellAgain();  // the check has waited, too
    return !is_left;
  }

 private:
  LongWait told_;
  PeerLooks peers_;
  const bool can_be_left_;
};

/// Until the doorbell rings, for whatever store, or the condition holds. The count is read first:
/// whoever takes the announcement back changes it after that. False: the wait is to be left.
bool sleepUntilRung(Doorbell& doorbell, const Condition& condition, Meanwhile& meanwhile) noexcept {
  const std::uint32_t rings = doorbell.rings.load(std::memory_order_acquire);
  doorbell.is_announced.store(1, std::memory_order_seq_cst);
  base::reached(base::Phase::PeAsleepSaid);
  base::foreignFence();
  timespec most{0, kFirstSleepNanoseconds};
  do {
    if (condition.holds(condition.context)) return true;
    leaveIfAsked();
    const int end = futex(doorbell.rings, FUTEX_WAIT, rings, &most) == 0 ? 0 : errno;
    if (end == ETIMEDOUT) most.tv_nsec = kSleepNanoseconds;
    if (!meanwhile.goesOn(end == EINTR)) return false;
  } while (doorbell.rings.load(std::memory_order_acquire) == rings);
  return true;
}

/// False: the wait was left.
bool waitOn(Doorbell& doorbell, const Condition& condition, Meanwhile& meanwhile) noexcept {
  microseconds yields = node.is_crowded ? kYields : kYieldsAtFirst;
  while (!holdsWhileOthersRun(condition, yields)) {
    if (!sleepUntilRung(doorbell, condition, meanwhile)) return false;
    yields = kYields;
  }
  return true;
}

}  // namespace

void ring(Doorbell& doorbell) noexcept {
  base::reached(base::Phase::PeRinging);
  if (doorbell.is_announced.exchange(0, std::memory_order_acq_rel) == 0) return;
  const int error = errno;
  doorbell.rings.fetch_add(1, std::memory_order_release);
  futex(doorbell.rings, FUTEX_WAKE, INT_MAX, nullptr);
  errno = error;
}

void waitLongForFlags(Condition condition, const char* call, int awaited) noexcept {
  const int error = errno;
  Meanwhile meanwhile(call, awaited, false);
  waitOn(ownControl().for_flags, condition, meanwhile);
  errno = error;
}

bool waitLongForAccesses(Condition condition, const char* call) noexcept {
  const int error = errno;
  Meanwhile meanwhile(call, -1, true);
  const bool has_come = waitOn(ownControl().for_accesses, condition, meanwhile);
  if (!has_come) condition.holds(condition.context);  // for what the call returns
  errno = error;
  return has_come;
}

}  // namespace ucxx::shmem
