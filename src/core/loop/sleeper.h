// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/poller.h"
#include "core/loop/timer.h"
#include "core/loop/unseen_ends.h"
#include "core/loop/wake.h"

namespace ucxx::core {

class Loop;

/// How threads sleep until something happens to a loop. Any thread sleeps; it owns the loop when it
/// looks for the last time before, and when it is awake again, if no other thread does.
class Sleeper {
 public:
  /// How long a sleep lasts in which UCX is not heard.
  static constexpr base::Duration kMoment = std::chrono::microseconds(200);
  /// How long one lasts in which it is.
  static constexpr base::Duration kLongestNap = std::chrono::milliseconds(50);

  Sleeper(Loop& loop, base::Poller& poller, Wake& wake);
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  /// Sleeps until something happens, for so long at most; negative: without a limit. False: there
  /// was work, no sleep.
  bool sleep(base::Duration at_most);
  /// Does not sleep if `isDone()`, which is asked once, when others can see that this thread
  /// sleeps.
  void sleepUnless(const std::function<bool()>& isDone, base::Duration at_most);
  /// Sleeps neither before nor while a request has ended that its caller may not have seen; true:
  /// there is one.
  bool sleepUnlessEnded(base::Duration at_most);
  /// Takes the end of one request that its caller may not have seen. False: there is none.
  bool takeUnseenEnd() noexcept;
  /// What events wake: `getEpollFileDescriptor`.
  int descriptor() const noexcept { return poller_.fd(); }
  /// Announces a sleep on the descriptor of the loop. False: there is work, look again.
  bool arm();

  /// A look of the calling thread was in vain: for how long it should sleep, `at_most`, before it
  /// looks again. Zero until its patience is over: while a payload is under way that a peer has to
  /// move as well, perhaps on the same processor; else only where others want the processor.
  base::Duration napOf(base::Duration at_most) const noexcept;
  /// At the last look a payload was under way that this process and a peer move by turns.
  bool isSharing() const noexcept { return is_sharing_.load(std::memory_order_relaxed); }
  /// At the last look all that could happen would have ended a sleep: not UCX's part, without the
  /// WAKEUP feature.
  bool hearsAll() const noexcept { return hears_all_.load(std::memory_order_relaxed); }
  /// Payloads that come in pieces through rings: some more, or less. The owner.
  void countInRings(std::ptrdiff_t difference) noexcept {
    in_rings_ += static_cast<std::size_t>(difference);
  }
  /// The owner, after a round in which nothing has moved.
  void note(bool is_sharing, bool hears_all) noexcept {
    is_sharing_.store(is_sharing || in_rings_ != 0, std::memory_order_relaxed);
    hears_all_.store(hears_all, std::memory_order_relaxed);
  }

  std::atomic<bool> is_blocking{false};  // `initBlockingProgressMode` was called

 private:
  template <class May>
  bool sleepIf(base::Duration at_most, May may);
  bool armOwned();
  bool armFor(std::optional<Wake::Waiter>& waiter);

  Loop& loop_;
  base::Poller& poller_;
  Wake& wake_;
  Timer timer_{poller_, wake_};
  UnseenEnds unseen_ends_;
  std::size_t in_rings_ = 0;
  std::atomic<bool> is_sharing_{false};
  std::atomic<bool> hears_all_{false};
};

}  // namespace ucxx::core
