// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <ucxx/log.h>

#include "python.h"

namespace ucxx::python {

/// What C++ says. UCX, or a peer, may have put into it what is no text.
nb::str text(std::string_view said);

/// Lines of the log on their way to `logging`: from any thread of C++, which never waits for the
/// GIL, to a thread of Python that moves a worker or runs an event loop. One for the process.
class LogLines {
 public:
  struct Line {
    LogLevel level;
    double time;  // seconds since the epoch
    std::string component, text;
  };
  struct Batch {
    std::vector<Line> lines;
    std::uint64_t lost = 0;  // behind them
  };
  static LogLines& get();

  /// Without the GIL. What does not fit is lost, and counted.
  void push(LogLevel level, std::string_view component, std::string_view text);
  Batch take();
  bool isEmpty() const noexcept { return is_empty_.load(std::memory_order_relaxed); }
  /// Readable while there are lines.
  int descriptor() const noexcept { return descriptor_; }
  /// What the parent has, it tells itself.
  void forgetInChild() noexcept;

 private:
  LogLines();

  static constexpr std::size_t kMost = 1024;

  std::mutex mutex_;
  std::vector<Line> lines_;  // guarded by `mutex_`
  std::uint64_t lost_ = 0;   // guarded by `mutex_`
  std::atomic<bool> is_empty_{true};
  std::atomic<int> descriptor_;
};

/// Gives Python the lines that are there. With the GIL; errors go to `sys.unraisablehook`.
void deliverLogLines() noexcept;

/// The same for those who come by often.
inline void lookForLogLines() noexcept {
  if (!LogLines::get().isEmpty()) [[unlikely]]
    deliverLogLines();
}

void bindLog(nb::module_& module);

}  // namespace ucxx::python
