// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "base/log.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <new>
#include <string>

#include <pthread.h>
#include <unistd.h>

#include "base/env.h"
#include "base/immortal.h"

namespace ucxx {
namespace {

std::atomic<int> current_level{static_cast<int>(base::environment().log_level)};
std::mutex sink_mutex;

void writeToStandardError(LogLevel level, std::string_view component, std::string_view text) {
  static constexpr std::string_view kNames[] = {"", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"};
  const std::string line =
      fmt::format("[{} {}] {}\n", kNames[static_cast<int>(level)], component, text);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

LogSink& sink() {
  static base::Immortal<LogSink> instance(
      base::environment().log_to_stderr ? LogSink(writeToStandardError) : LogSink());
  return *instance;
}

/// In a forked child: another thread may have had the lock.
void renewLock() noexcept { new (&sink_mutex) std::mutex; }

}  // namespace

void setLogSink(LogSink new_sink) {
  [[maybe_unused]] static const int watched = ::pthread_atfork(nullptr, nullptr, renewLock);
  const std::lock_guard lock(sink_mutex);
  sink() = std::move(new_sink);
}

void setLogLevel(LogLevel level) noexcept { current_level = static_cast<int>(level); }

LogLevel getLogLevel() noexcept {
  return static_cast<LogLevel>(current_level.load(std::memory_order_relaxed));
}

void logLine(LogLevel level, const char* format, ...) noexcept {
  if (!base::logs(level)) return;
  char text[1024];  // a longer line is cut
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  base::logText(level, "program", text);
}

namespace base {

bool logs(LogLevel level) noexcept {
  return static_cast<int>(level) <= current_level.load(std::memory_order_relaxed);
}

void logText(LogLevel level, std::string_view component, std::string_view text) noexcept {
  try {
    const std::lock_guard lock(sink_mutex);
    if (sink()) sink()(level, component, text);
  } catch (...) {
  }
}

}  // namespace base
}  // namespace ucxx
