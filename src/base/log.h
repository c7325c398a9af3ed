// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ucxx/log.h>

namespace ucxx::base {

bool logs(LogLevel level) noexcept;
/// To the sink, one line at a time; whatever the sink throws is dropped.
void logText(LogLevel level, std::string_view component, std::string_view text) noexcept;

/// Formats only when the level is on.
template <class... Args>
void log(LogLevel level, std::string_view component, fmt::format_string<Args...> format,
         Args&&... args) noexcept {
  if (!logs(level)) return;
  try {
    logText(level, component, fmt::format(format, std::forward<Args>(args)...));
  } catch (...) {  // out of memory: a lost line, never a lost program
  }
}

}  // namespace ucxx::base
