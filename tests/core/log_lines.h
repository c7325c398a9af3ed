// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ucxx/log.h>

namespace ucxx::core::test {

/// The log lines of its lifetime.
class Lines {
 public:
  Lines() {
    setLogSink([this](LogLevel level, std::string_view, std::string_view text) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(level, text);
    });
  }
  ~Lines() { setLogSink(nullptr); }
  std::size_t with(std::string_view word) {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& [level, text] : lines_) count += text.find(word) != std::string::npos;
    return count;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<LogLevel, std::string>> lines_;
};

}  // namespace ucxx::core::test
