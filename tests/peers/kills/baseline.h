// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <string>

namespace ucxx::kills {

/// What this process holds.
struct Resources {
  std::size_t descriptors = 0, threads = 0, resident_kib = 0;
  static Resources now();
};

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

/// One line for each descriptor of this process: what it is, and of TCP sockets both ends and the
/// state, as in /proc/net/tcp (1: established, 7: closed, 10: listening).
std::string describeDescriptors();

/// Files of UCX and ours in /dev/shm; of the whole machine.
std::size_t sharedMemoryFiles();

}  // namespace ucxx::kills
