// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/waiting/lock.h"

#include <atomic>
#include <cstdint>

#include "base/phase.h"
#include "shmem/access/ordering.h"
#include "shmem/checks/failure.h"
#include "shmem/memory/layout.h"
#include "shmem/memory/locate.h"
#include "shmem/waiting/waiting.h"

namespace ucxx::shmem {
namespace {

/// The two halves of the long. `last` is used on the lock's home PE only; a PE is told by its
/// number plus one, since 0 is nobody. `next` is the PE's place in the queue, which one of its
/// threads has at a time: 0, or kTaken with the number of that thread, perhaps kWaits, and who
/// comes behind it.
struct Half {
  std::atomic<std::uint32_t> last;  ///< of the queue: the holder, or who waits behind all others
  std::atomic<std::uint32_t> next;
};
static_assert(sizeof(Half) == sizeof(long));

constexpr std::uint32_t kWaits = std::uint32_t{1} << 31;
constexpr std::uint32_t kTaken = std::uint32_t{1} << 30;
constexpr int kNameBits = 17;
constexpr std::uint32_t kNames = (std::uint32_t{1} << kNameBits) - 1;
constexpr std::uint32_t kThreads = (kTaken - 1) & ~kNames;
constexpr std::uint32_t kNobody = 0;
static_assert(kMostPes <= static_cast<int>(kNames));

std::uint32_t nameOf(int pe) noexcept { return static_cast<std::uint32_t>(pe) + 1; }
int peNamed(std::uint32_t word) noexcept { return static_cast<int>(word & kNames) - 1; }

/// Of the calling thread, among `kThreads`; 0 for each where there are no more numbers.
std::uint32_t ownThread() noexcept {
  static std::atomic<std::uint32_t> threads{0};
  static constinit thread_local std::uint32_t number = 0;
  if (number == 0) [[unlikely]]
    number = ++threads;
  return number <= kThreads >> kNameBits ? number << kNameBits : 0;
}

class Lock {
 public:
  Lock(long* lock, const char* call) noexcept : lock_(lock), call_(call) {
    requireSymmetric(lock, sizeof *lock, call);
  }

  bool takeIfFree() const noexcept {
    if (!takePlace()) return false;
    std::uint32_t expected = kNobody;
    if (last().compare_exchange_strong(expected, nameOf(node.me))) return true;
    leavePlace();
    return false;
  }

  void take() const noexcept {
    if (!takePlace()) [[unlikely]]
      waitForPlace();
    const std::uint32_t before = last().exchange(nameOf(node.me));
    if (before == kNobody) return;
    own().next.fetch_or(kWaits, std::memory_order_relaxed);
    base::reached(base::Phase::PeQueued);
    waitBehind(peNamed(before));
  }

  void release() const noexcept {
    const std::uint32_t next = own().next.load(std::memory_order_acquire);
    if ((next & (kTaken | kWaits)) != kTaken)
      fail(call_, "the lock at %p is not taken by this PE", static_cast<void*>(lock_));
    std::uint32_t expected = nameOf(node.me);
    if ((next & kNames) == kNobody && last().compare_exchange_strong(expected, kNobody)) {
      leavePlace();
    } else {
      handOn();
    }
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

  bool takePlace() const noexcept {
    std::uint32_t expected = 0;
    return own().next.compare_exchange_strong(expected, kTaken | ownThread(),
                                              std::memory_order_acquire);
  }
  void leavePlace() const noexcept {
    own().next.store(0, std::memory_order_release);
    wakeIfAsleep(ownControl().for_flags);
  }
  /// Another thread of this PE has it, if it is not this one: then nobody would ever leave it.
  void waitForPlace() const noexcept {
    const std::uint32_t thread = own().next.load(std::memory_order_relaxed) & kThreads;
    if (thread != 0 && thread == ownThread())
      fail(call_, "this thread holds the lock at %p already", static_cast<void*>(lock_));
    bool has_place = false;  // looked at again
    waitForFlags([&] { return has_place = has_place || takePlace(); }, call_, node.me);
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
    waitForFlags([&] { return (next.load(std::memory_order_acquire) & kNames) != kNobody; }, call_);
    base::reached(base::Phase::PeUnlocking);
    const int follower = peNamed(next.load(std::memory_order_relaxed));
    at(follower).next.fetch_and(~kWaits, std::memory_order_release);
    wakeIfAsleep(controlOf(follower).for_flags);
    leavePlace();
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
