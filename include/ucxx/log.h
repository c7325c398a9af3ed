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
/// `UCXX_LOG_LEVEL` is set. It is called from any thread, one at a time; it must not call us. UCX's
/// own lines come through it too, as component "ucx".
UCXX_PUBLIC void setLogSink(LogSink sink);
/// Lines above this level are not even formatted. First value: `UCXX_LOG_LEVEL`, else Warn.
UCXX_PUBLIC void setLogLevel(LogLevel level) noexcept;
UCXX_PUBLIC LogLevel getLogLevel() noexcept;

}  // namespace ucxx
