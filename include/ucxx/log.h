// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <functional>
#include <string_view>

#include <ucxx/export.h>

namespace ucxx {

enum class LogLevel { Off = 0, Error, Warn, Info, Debug, Trace };

using LogSink = std::function<void(LogLevel, std::string_view component, std::string_view text)>;

/// Replaces where log lines go (null: nowhere). The first sink is silent, or standard error when
/// `UCXX_LOG_LEVEL` is set. It is called from any thread, one at a time; it must not call UCXX.
/// UCX's own lines come through it too, as component "ucx".
UCXX_PUBLIC void setLogSink(LogSink sink);
/// Lines above this level are not even formatted. First value: `UCXX_LOG_LEVEL`, else Warn.
UCXX_PUBLIC void setLogLevel(LogLevel level) noexcept;
UCXX_PUBLIC LogLevel getLogLevel() noexcept;

/// A line of the program's own, in printf's way: what the macros below are.
[[gnu::format(printf, 2, 3)]] UCXX_PUBLIC void logLine(LogLevel level, const char* format,
                                                       ...) noexcept;

}  // namespace ucxx

// NOLINTBEGIN(readability-identifier-naming): established names
#define ucxx_error(...) ::ucxx::logLine(::ucxx::LogLevel::Error, __VA_ARGS__)
#define ucxx_warn(...) ::ucxx::logLine(::ucxx::LogLevel::Warn, __VA_ARGS__)
#define ucxx_info(...) ::ucxx::logLine(::ucxx::LogLevel::Info, __VA_ARGS__)
#define ucxx_debug(...) ::ucxx::logLine(::ucxx::LogLevel::Debug, __VA_ARGS__)
#define ucxx_trace(...) ::ucxx::logLine(::ucxx::LogLevel::Trace, __VA_ARGS__)
// NOLINTEND(readability-identifier-naming)
