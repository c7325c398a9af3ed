// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include <ucxx/options.h>

#include "base/rare_line.h"

namespace ucxx::core {

class Loop;
class Patience;

/// Functions that wait for a progress thread to run them. Any thread; kept across threads, so that
/// one may be registered before the thread starts.
class GenericCallbacks {
 public:
  /// Waits until the progress thread has run `function`. False: `timeout` (zero: none) was over
  /// before it began, and it will not run.
  bool runAndWait(std::function<void()> function, std::chrono::nanoseconds timeout, Loop& loop);
  /// The progress thread: runs what is there.
  void runAll() noexcept;
  bool empty() const noexcept { return count_.load(std::memory_order_acquire) == 0; }

 private:
  struct Item;
  std::mutex mutex_;
  std::deque<std::shared_ptr<Item>> items_;
  std::atomic<std::size_t> count_{0};
};

/// The thread that owns a loop and moves it.
class ProgressThread {
 public:
  ProgressThread(Loop& loop, const ProgressOptions& options, std::function<void(void*)> start,
                 void* start_argument);
  /// Stops: what is queued is submitted first.
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  std::thread::id id() const noexcept { return thread_.get_id(); }
  /// Ends after this round.
  void stop() noexcept { stopping_ = true; }

 private:
  void main() noexcept;
  void rounds();
  bool round();
  void rest();
  bool spins();

  Loop& loop_;
  const ProgressOptions options_;
  const std::function<void(void*)> start_;
  void* const start_argument_;
  std::atomic<bool> stopping_{false};
  Patience* patience_ = nullptr;  // the thread's
  base::RareLine no_memory_;
  std::thread thread_;
};

}  // namespace ucxx::core
