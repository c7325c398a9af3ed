// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace stand_in {

/// UCXX_CUDA_STAND_IN: words and settings, with commas between. Read once, at the first call of the
/// driver. What it does not know ends the process.
///
///     attribute.98=1        a device's attribute (98: flush of remote writes)
///     connections=2         as CUDA_DEVICE_MAX_CONNECTIONS, which it overrides
///     delay=200us           each call and each entry of a stream takes up to so much longer
///     devices=0             how many there are (1); they share the memory
///     fail=cuMemAlloc=2     each call of cuMemAlloc answers 2 (CUDA_ERROR_OUT_OF_MEMORY)
///     fail=cuMemAlloc:3=2   the third does
///     kernels=/x.so         is loaded by cuInit, and registers kernels
///     memory=64M            of the device (16G)
///     seed=7                of the delays
///     version=12020         of the driver (13000)
///     watchdog=500ms        how long anything may wait (10s)
///     no-gpu                cuInit finds none
///     no-ucx                UCX's own word whether it moves CUDA memory stands (ucx.cpp)
///     spoils                every other copy out of the device has a wrong byte
///     unreachable           the processor cannot touch memory of cuMemAlloc and of pools
struct Options {
  /// A call that is made to fail: each, or only the one of this number.
  struct Failure {
    std::string call;
    std::uint64_t number = 0;
    int result = 0;
  };

  std::map<int, int> attributes;
  unsigned connections = 8;
  std::chrono::microseconds delay{0};
  int devices = 1;
  std::vector<Failure> failures;
  std::string kernels;
  std::size_t memory_bytes = std::size_t{16} << 30;
  std::uint64_t seed = 1;
  int version = 13000;
  std::chrono::milliseconds watchdog{10'000};
  std::set<std::string> words;
};

const Options& options();

}  // namespace stand_in
