// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/perftest/traffic.h"

namespace ucxx::tools {

/// What one measurement came to. Times in microseconds: latency half a round trip, bandwidth the
/// time of a message. Percentiles only where each message was timed. Rates are of all threads; the
/// average is that of a thread, of bandwidth the slowest's.
struct Measured {
  double average_us = 0;
  std::vector<double> threads_us{};
  std::optional<double> p50_us, p90_us, p99_us, max_us;

  double gigabytesPerSecond(std::size_t size_bytes) const noexcept {
    return static_cast<double>(size_bytes) * messagesPerSecond() / 1e9;
  }
  double messagesPerSecond() const noexcept {
    return static_cast<double>(std::max<std::size_t>(threads_us.size(), 1)) * 1e6 / average_us;
  }
};
/// `timings`: of each thread.
Measured measuredFrom(const std::vector<Timing>& timings, const Plan& plan);

/// The middle of several measurements, and how far they lie apart.
struct Middle {
  double median = 0, least = 0, most = 0;
};
Middle middleOf(std::vector<double> values);

/// All measurements of one size.
struct Row {
  Plan plan;
  MemoryKind received_in = MemoryKind::Host;  ///< small active messages come to the host
  std::vector<Measured> ours, theirs;  ///< by repetition; `theirs` is empty without a comparison

  /// Ours / theirs of each repetition, then the middle. Average time: less is better.
  Middle timeRatio() const;
  /// Typical time (p50), which other programs on the machine disturb less. Latency only.
  Middle typicalRatio() const;
  /// Bandwidth and message rate: more is better.
  Middle rateRatio() const;

 private:
  template <class Divide>
  Middle ratios(Divide divide) const;
};
nlohmann::json toJson(const Row& row);

}  // namespace ucxx::tools
