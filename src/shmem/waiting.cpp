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
/// The first sleep behind an announcement is short: the fence may have missed a writer
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

/// Until the bell rings, for whatever store, or the condition holds. The bell is read first:
/// whoever takes the announcement back changes it after that.
void sleepUntilRung(Bed& bed, const Condition& condition, PeerLooks& peers) noexcept {
  const std::uint32_t bell = bed.bell.load(std::memory_order_acquire);
  bed.is_announced.store(1, std::memory_order_seq_cst);
  base::reached(base::Phase::PeAsleepSaid);
  base::foreignFence();
  timespec most{0, kFirstSleepNanoseconds};
  do {
    if (condition.holds(condition.context)) return;
    leaveIfAsked();
    if (futex(bed.bell, FUTEX_WAIT, bell, &most) != 0 && errno == ETIMEDOUT)
      most.tv_nsec = kSleepNanoseconds;
    peers.lookIfDue();
  } while (bed.bell.load(std::memory_order_acquire) == bell);
}

}  // namespace

void ring(Bed& bed) noexcept {
  base::reached(base::Phase::PeRinging);
  if (bed.is_announced.exchange(0, std::memory_order_acq_rel) == 0) return;
  const int error = errno;
  bed.bell.fetch_add(1, std::memory_order_release);
  futex(bed.bell, FUTEX_WAKE, INT_MAX, nullptr);
  errno = error;
}

void waitLong(Bed& bed, Condition condition, const char* call, int awaited) noexcept {
  const int error = errno;
  const LongWait told(call, awaited);
  PeerLooks peers(call);
  while (!holdsWhileOthersRun(condition)) sleepUntilRung(bed, condition, peers);
  errno = error;
}

}  // namespace ucxx::shmem
