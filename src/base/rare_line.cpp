// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/rare_line.h"

namespace ucxx::base {

bool RareLine::isDue() noexcept {
  const TimePoint now = Clock::now();
  if (now < next_) {
    ++untold_;
    return false;
  }
  next_ = now + std::chrono::seconds(1);
  return true;
}

std::string RareLine::others() {
  const auto untold = std::exchange(untold_, 0);
  return untold == 0 ? "" : fmt::format(", and {} others since", untold);
}

}  // namespace ucxx::base
