// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace ucxx::tools {

/// Says on a terminal how far a long run is, in a line that goes again. Nothing where standard
/// error is no terminal, and in the first second.
class ProgressLine {
 public:
  explicit ProgressLine(std::size_t measurements);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// The next measurement begins; `seconds`: about what it takes.
  void begin(const std::string& what, double seconds);
  /// Something else is to be printed.
  void clear();

 private:
  const bool is_terminal_;
  const std::size_t measurements_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::size_t begun_ = 0;
  bool is_shown_ = false;
};

}  // namespace ucxx::tools
