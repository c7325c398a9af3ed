// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/waiting.h"

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
#include "shmem/exit.h"
#include "shmem/peers.h"

namespace ucxx::shmem {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// So long a wait lets others run between two looks, before it sleeps.
constexpr auto kYields = microseconds(50);
constexpr int kPollsBetweenYields = 10;
constexpr long kSleepNanoseconds = 10'000'000;
/// The first sleep of a wait is short: the fence may have missed the writer (foreign_fence.h). The
/// store is there when this has passed, and whoever stores later sees the announcement.
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
  LongWait(const char* call, int awaited) noexcept {
    const std::lock_guard lock(mutex);
    ++waits;
    ownControl().awaited.store(awaited, std::memory_order_relaxed);
    ownControl().waits.fetch_add(1, std::memory_order_relaxed);
    tellCall(call);
  }
  ~LongWait() {
    const std::lock_guard lock(mutex);
    if (--waits == 0) ownControl().call[0].store('\0', std::memory_order_release);
  }
  LongWait(const LongWait&) = delete;
  LongWait& operator=(const LongWait&) = delete;

 private:
  static inline std::mutex mutex;
  static inline int waits = 0;  // of all threads
};

bool holdsAfterSomePolls(const Condition& condition) noexcept {
  for (int polls = 0; polls < kPollsBetweenYields; ++polls) {
    if (condition.holds(condition.context)) return true;
    relax();
  }
  return false;
}

bool holdsWhileOthersRun(const Condition& condition) noexcept {
  const base::TimePoint end = base::Clock::now() + kYields;
  do {
    ::sched_yield();
    if (holdsAfterSomePolls(condition)) return true;
  } while (base::Clock::now() < end);
  return false;
}

/// As long as it lives, whoever stores rings. The thread looks at its condition behind it, once
/// more.
class Announcement {
 public:
  explicit Announcement(Bed& bed) noexcept : bed_(bed) {
    bed_.sleepers.fetch_add(1, std::memory_order_seq_cst);
    base::reached(base::Phase::PeAsleepSaid);
    base::foreignFence();
  }
  ~Announcement() { bed_.sleepers.fetch_sub(1, std::memory_order_relaxed); }
  Announcement(const Announcement&) = delete;
  Announcement& operator=(const Announcement&) = delete;

 private:
  Bed& bed_;
};

void sleepUntil(Bed& bed, const Condition& condition, const char* call) noexcept {
  const Announcement announcement(bed);
  base::TimePoint next_look = base::Clock::now() + kPeersEvery;
  timespec most{0, kFirstSleepNanoseconds};
  for (;;) {
    const std::uint32_t bell = bed.bell.load(std::memory_order_acquire);
    if (condition.holds(condition.context)) return;
    leaveIfAsked();
    futex(bed.bell, FUTEX_WAIT, bell, &most);
    most.tv_nsec = kSleepNanoseconds;
    if (base::Clock::now() < next_look) continue;
    requirePeersAlive(call);
    next_look = base::Clock::now() + kPeersEvery;
  }
}

}  // namespace

void ring(Bed& bed) noexcept {
  base::reached(base::Phase::PeRinging);
  const int error = errno;
  bed.bell.fetch_add(1, std::memory_order_release);
  futex(bed.bell, FUTEX_WAKE, INT_MAX, nullptr);
  errno = error;
}

void waitLong(Bed& bed, Condition condition, const char* call, int awaited) noexcept {
  const int error = errno;
  const LongWait told(call, awaited);
  if (!holdsWhileOthersRun(condition)) sleepUntil(bed, condition, call);
  errno = error;
}

}  // namespace ucxx::shmem
