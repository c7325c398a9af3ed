// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include <ucxx/export.h>

namespace ucxx::utils {

/// One event that one thread sets, once, and others wait for. Everything before `set` is visible
/// after `wait` returned true.
class UCXX_PUBLIC CallbackNotifier {
 public:
  CallbackNotifier() = default;
  ~CallbackNotifier() = default;
  CallbackNotifier(const CallbackNotifier&) = delete;
  CallbackNotifier& operator=(const CallbackNotifier&) = delete;

  void set();
  /// Waits `period` nanoseconds (0: for ever). Every `signal_interval` nanoseconds meanwhile (0:
  /// only once, first), `signal_worker` is called without a lock, to wake whoever will
  /// `set`. False: the time was up.
  bool wait(std::uint64_t period = 0, std::function<void()> signal_worker = nullptr,
            std::uint64_t signal_interval = 0);

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool set_ = false;
};

}  // namespace ucxx::utils
