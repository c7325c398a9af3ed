// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/lock.h"

#include <atomic>
#include <cstdint>

#include "base/phase.h"
#include "shmem/failure.h"
#include "shmem/locate.h"
#include "shmem/ordering.h"
#include "shmem/waiting.h"

namespace ucxx::shmem {
namespace {

/// The two halves of the long. `last` is used on the lock's home PE only; a PE is told by its
/// number plus one, since 0 is nobody.
struct Half {
  std::atomic<std::uint32_t> last;  ///< of the queue: the holder, or who waits behind all others
  std::atomic<std::uint32_t> next;  ///< on each PE: who comes behind it, and whether it waits
};
static_assert(sizeof(Half) == sizeof(long));

constexpr std::uint32_t kWaits = std::uint32_t{1} << 31;
constexpr std::uint32_t kNobody = 0;

std::uint32_t nameOf(int pe) noexcept { return static_cast<std::uint32_t>(pe) + 1; }
int peNamed(std::uint32_t name) noexcept { return static_cast<int>(name & ~kWaits) - 1; }

class Lock {
 public:
  Lock(long* lock, const char* call) noexcept : lock_(lock), call_(call) {
    requireSymmetric(lock, sizeof *lock, call);
  }

  bool takeIfFree() const noexcept {
    std::uint32_t expected = kNobody;
    return last().compare_exchange_strong(expected, nameOf(node.me));
  }

  void take() const noexcept {
    own().next.store(kWaits, std::memory_order_relaxed);
    const std::uint32_t before = last().exchange(nameOf(node.me));
    if (before == kNobody) {
      own().next.fetch_and(~kWaits, std::memory_order_relaxed);
      return;
    }
    if (before == nameOf(node.me))
      fail(call_, "this PE holds the lock at %p already, or waits for it",
           static_cast<void*>(lock_));
    base::reached(base::Phase::PeQueued);
    waitBehind(peNamed(before));
  }

  void release() const noexcept {
    std::uint32_t expected = nameOf(node.me);
    const bool is_last = (own().next.load(std::memory_order_acquire) & ~kWaits) == kNobody;
    if (is_last && last().compare_exchange_strong(expected, kNobody)) return;
    if (is_last && expected == kNobody)
      fail(call_, "the lock at %p is not taken", static_cast<void*>(lock_));
    handOn();
  }

 private:
  Half& at(int pe) const noexcept {
    return *reinterpret_cast<Half*>(locate(lock_, sizeof *lock_, pe, call_).address);
  }
  Half& own() const noexcept { return at(node.me); }
  /// Locks are spread over the PEs by their addresses.
  std::atomic<std::uint32_t>& last() const noexcept {
    const auto home = offsetInSlot(lock_) / sizeof *lock_ % static_cast<std::size_t>(node.pes);
    return at(static_cast<int>(home)).last;
  }

  void waitBehind(int pe) const noexcept {
    at(pe).next.fetch_or(nameOf(node.me), std::memory_order_release);
    wakeIfAsleep(controlOf(pe).for_flags);
    const auto& next = own().next;
    waitForFlags([&] { return (next.load(std::memory_order_acquire) & kWaits) == 0; }, call_, pe);
  }

  /// Who took the end of the queue behind this PE is about to say so.
  void handOn() const noexcept {
    const auto& next = own().next;
    waitForFlags([&] { return (next.load(std::memory_order_acquire) & ~kWaits) != kNobody; },
                 call_);
    base::reached(base::Phase::PeUnlocking);
    const int follower = peNamed(own().next.exchange(kNobody, std::memory_order_relaxed));
    at(follower).next.fetch_and(~kWaits, std::memory_order_release);
    wakeIfAsleep(controlOf(follower).for_flags);
  }

  long* const lock_;
  const char* const call_;
};

}  // namespace

void setLock(long* lock, const char* call) noexcept {
  Lock(lock, call).take();
  base::reached(base::Phase::PeLocked);
}

bool tryLock(long* lock, const char* call) noexcept { return Lock(lock, call).takeIfFree(); }

void clearLock(long* lock, const char* call) noexcept {
  const Lock taken(lock, call);
  quiet();
  taken.release();
}

}  // namespace ucxx::shmem
