// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/progress_line.h"

#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/perftest/timing.h"

namespace ucxx::tools {

ProgressLine::ProgressLine(std::size_t measurements)
    : is_terminal_(::isatty(STDERR_FILENO) == 1), measurements_(measurements) {}

void ProgressLine::begin(const std::string& what, double seconds) {
  const double elapsed = secondsSince(start_);
  const std::size_t done = begun_++;
  if (!is_terminal_ || (elapsed < 1 && seconds < 1)) return;
  const double each = done == 0 ? seconds : elapsed / static_cast<double>(done);
  fmt::print(stderr, "\r\x1b[K{}: measurement {} of {}, about {:.0f} s left", what, begun_,
             measurements_, each * static_cast<double>(measurements_ - done));
  std::fflush(stderr);
  is_shown_ = true;
}

void ProgressLine::clear() {
  if (!std::exchange(is_shown_, false)) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace ucxx::tools
