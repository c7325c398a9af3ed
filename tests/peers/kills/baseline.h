// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <string>

#include "peers/resources.h"

namespace ucxx::kills {

using peers::Resources;

/// What it held before; empty or what is more now.
class Baseline {
 public:
  /// Allocators keep some.
  static constexpr std::size_t kSlackKib = 192 << 10;
  /// UCX has a timer from its first endpoint on.
  static constexpr std::size_t kSlackDescriptors = 1;
  /// During the first runs what is held becomes the baseline: of memory later than of the rest, for
  /// pools fill by what was largest so far.
  void settle();
  std::string excess() const;

 private:
  static constexpr std::size_t kFirstRuns = 3, kFirstRunsForMemory = 60;
  Resources before_;
  std::size_t runs_ = 0;
};

}  // namespace ucxx::kills
