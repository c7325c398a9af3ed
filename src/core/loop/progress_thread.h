// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include <ucxx/options.h>

#include "core/loop/generic_callbacks.h"

namespace ucxx::core {

class Loop;

/// The thread that owns a loop and moves it, while there is one. Any thread calls it.
class ProgressThread {
 public:
  explicit ProgressThread(Loop& loop) noexcept;
  /// The thread has been stopped.
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  /// Does nothing while there is one. Throws what the system says.
  void start(const ProgressOptions& options);
  /// What is queued is submitted first. Not from the thread itself.
  void stop();
  /// The thread ends after this round, and with it the loop, which `Loop::endLater` has given to
  /// itself. Does nothing where there is no thread.
  void stopAndEndLoop() noexcept;
  /// What threads that are started from now on call first.
  void onStart(std::function<void(void*)> callback, void* argument);
  bool isRunning() const noexcept { return is_running_.load(std::memory_order_acquire); }
  /// `std::thread::id()`: there is none.
  std::thread::id id() const noexcept { return id_.load(std::memory_order_acquire); }
  bool isThisThread() const noexcept { return id() == std::this_thread::get_id(); }

  GenericCallbacks before_rounds, after_rounds;  // what it calls then

 private:
  class Run;
  void ended() noexcept;

  Loop& loop_;
  std::mutex mutex_;  // guards what follows, but for the atomic ones
  std::unique_ptr<Run> run_;
  std::function<void()> start_;
  bool is_stopping_ = false;
  std::condition_variable stopped_;
  std::atomic<bool> is_running_{false};
  std::atomic<std::thread::id> id_{};
};

}  // namespace ucxx::core
