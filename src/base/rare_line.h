// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/log.h"

namespace ucxx::base {

/// A line of the log that a peer or a stranger can cause: written once a second at most, so that
/// nobody fills the log. One thread at a time.
class RareLine {
 public:
  /// As base::log; its end tells how many were not written since the one before.
  template <class... Args>
  void log(LogLevel level, std::string_view component, fmt::format_string<Args...> format,
           Args&&... args) noexcept {
    if (!isDue() || !logs(level)) return;
    try {
      logText(level, component, fmt::format(format, std::forward<Args>(args)...) + others());
    } catch (...) {  // out of memory: a lost line
    }
  }

 private:
  /// If not, it counts as untold.
  bool isDue() noexcept;
  std::string others();

  TimePoint next_{};
  std::uint64_t untold_ = 0;
};

}  // namespace ucxx::base
