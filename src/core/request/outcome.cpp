// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/request/outcome.h"

#include <algorithm>
#include <bit>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ucxx::core {

/// The half of the word that has the status.
std::uint32_t* Outcome::futex() noexcept {
  return reinterpret_cast<std::uint32_t*>(&word_) + (std::endian::native == std::endian::big);
}

bool Outcome::watch() noexcept {
  std::uint64_t word = word_.load(std::memory_order_acquire);
  while (statusOf(word) == UCS_INPROGRESS) {
    if ((word & kWatched) != 0 ||
        word_.compare_exchange_weak(word, (word | kWatched) + kHolder, std::memory_order_acq_rel))
      return true;
  }
  return false;
}

bool Outcome::disown() noexcept {
  std::uint64_t word = word_.load(std::memory_order_acquire);
  while (statusOf(word) == UCS_INPROGRESS) {
    if (word_.compare_exchange_weak(word, word | kDisowned, std::memory_order_acq_rel)) return true;
  }
  return false;
}

bool Outcome::revoke() noexcept {
  std::uint64_t word = word_.load(std::memory_order_acquire);
  while (statusOf(word) == UCS_OK) {
    const std::uint64_t revoked = word | static_cast<std::uint8_t>(UCS_ERR_CANCELED);
    if (word_.compare_exchange_weak(word, revoked, std::memory_order_acq_rel)) return true;
  }
  return false;
}

void Outcome::wakeWaiters() noexcept {
  syscall(SYS_futex, futex(), FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

bool Outcome::waitUntil(base::TimePoint deadline) noexcept {
  for (;;) {
    std::uint64_t word = word_.load(std::memory_order_acquire);
    if (statusOf(word) != UCS_INPROGRESS) return true;
    const auto left = deadline - base::Clock::now();
    if (left <= base::Duration::zero()) return false;
    if ((word & kHasWaiter) == 0 &&
        !word_.compare_exchange_strong(word, word | kHasWaiter, std::memory_order_acq_rel))
      continue;
    const auto nanoseconds =
        std::chrono::nanoseconds(std::min<base::Duration>(left, std::chrono::hours(1))).count();
    const timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    syscall(SYS_futex, futex(), FUTEX_WAIT_PRIVATE, static_cast<std::uint32_t>(word | kHasWaiter),
            &timeout, nullptr, 0);
  }
}

}  // namespace ucxx::core
