// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>

#include <ucs/type/status.h>

#include "base/clock.h"

namespace ucxx::core {

/// What a request's user and its loop share, on any thread: the status, and how many hold the
/// request. In one word, so that its end costs one locked instruction.
class Outcome {
 public:
  /// `UCS_INPROGRESS` until `end`.
  ucs_status_t status() const noexcept { return statusOf(word_.load(std::memory_order_acquire)); }

  /// One holder at first: whoever made the request.
  void hold() noexcept { word_.fetch_add(kHolder, std::memory_order_relaxed); }
  /// As `hold`, while no other thread can know the request.
  void holdAlone() noexcept {
    word_.store(word_.load(std::memory_order_relaxed) + kHolder, std::memory_order_relaxed);
  }
  /// True: that was the last holder.
  bool letGo() noexcept {
    if (holdersOf(word_.load(std::memory_order_acquire)) == 1) return true;  // nobody else is there
    return holdersOf(word_.fetch_sub(kHolder, std::memory_order_acq_rel)) == 1;
  }
  std::uint64_t holders() const noexcept {
    return holdersOf(word_.load(std::memory_order_relaxed));
  }

  /// Who watches waits to be told of the end: from the first one on there is a holder more, for
  /// whoever tells them. False: it has ended.
  bool watch() noexcept;

  /// Nobody wants what it may still receive; until the end. False: it has ended.
  bool disown() noexcept;
  bool isDisowned() const noexcept {
    return (word_.load(std::memory_order_relaxed) & kDisowned) != 0;
  }
  /// That has been seen to.
  void endDisowning() noexcept { word_.fetch_and(~kDisowned, std::memory_order_relaxed); }
  /// The end was a success, and is `UCS_ERR_CANCELED` from now on. False: it was none, or is
  /// revoked already.
  bool revoke() noexcept;

  /// Who holds it behind the end. Watched: to be told, then to be let go. Disowned: it has not
  /// ended, for nobody wants the success.
  enum class Left : std::uint8_t { Nobody, Others, Watched, Disowned };
  /// Publishes the status, wakes who waits, and lets go.
  [[gnu::always_inline]] Left end(ucs_status_t status) noexcept {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    do {
      if (isInVain(word, status)) [[unlikely]]
        return Left::Disowned;
    } while (!word_.compare_exchange_weak(word, ended(word, status), std::memory_order_acq_rel));
    // Whoever waits may have freed it by now: the kernel wakes by the address, and reads nothing.
    if ((word & kHasWaiter) != 0) [[unlikely]]
      wakeWaiters();
    return leftBy(word);
  }
  /// As `end`, while no other thread can know the request.
  Left endAlone(ucs_status_t status) noexcept {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    if (isInVain(word, status)) [[unlikely]]
      return Left::Disowned;
    word_.store(ended(word, status), std::memory_order_release);
    return leftBy(word);
  }

  /// Sleeps until the end or the deadline; false: not ended. For threads that do not progress.
  bool waitUntil(base::TimePoint deadline) noexcept;

 private:
  // The status in the lowest byte, for they lie between -128 and 1; in the upper half the holders.
  static constexpr std::uint64_t kHolder = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kHasWaiter = 1 << 16;  // only while in progress
  static constexpr std::uint64_t kWatched = 1 << 17;    // only while in progress
  static constexpr std::uint64_t kDisowned = 1 << 18;   // only while in progress

  static ucs_status_t statusOf(std::uint64_t word) noexcept {
    return static_cast<ucs_status_t>(static_cast<std::int8_t>(word));
  }
  static std::uint64_t holdersOf(std::uint64_t word) noexcept { return word / kHolder; }
  static std::uint64_t ended(std::uint64_t word, ucs_status_t status) noexcept {
    return (holdersOf(word) - 1) * kHolder + static_cast<std::uint8_t>(status);
  }
  static bool isInVain(std::uint64_t word, ucs_status_t status) noexcept {
    return (word & kDisowned) != 0 && status == UCS_OK;
  }
  /// Who is left, by the word before the end.
  static Left leftBy(std::uint64_t word) noexcept {
    if (holdersOf(word) == 1) return Left::Nobody;
    return (word & kWatched) == 0 ? Left::Others : Left::Watched;
  }
  std::uint32_t* futex() noexcept;
  void wakeWaiters() noexcept;

  std::atomic<std::uint64_t> word_{kHolder + static_cast<std::uint8_t>(UCS_INPROGRESS)};
};

}  // namespace ucxx::core
