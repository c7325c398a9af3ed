// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace ucxx::core {

class Wake;

/// Functions that wait for a progress thread to run them. Any thread; kept across threads, so that
/// one may be registered before the thread starts.
class GenericCallbacks {
 public:
  /// Waits until the progress thread has run `function`. False: `timeout` (zero: none) was over
  /// before it began, and it will not run. `wake` is of the loop that the thread moves.
  bool runAndWait(std::function<void()> function, std::chrono::nanoseconds timeout, Wake& wake);
  /// The progress thread: runs what is there.
  void runAll() noexcept;
  bool empty() const noexcept { return count_.load(std::memory_order_acquire) == 0; }

 private:
  struct Item;
  std::mutex mutex_;
  std::deque<std::shared_ptr<Item>> items_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace ucxx::core
