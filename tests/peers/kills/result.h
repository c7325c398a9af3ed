// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "peers/kills/options.h"

namespace ucxx::kills {

/// How one run went. Times in nanoseconds of the machine's monotonic clock; 0: there was none.
struct Result {
  Plan plan;
  std::string outcome;  ///< "ok", or what is wrong, in a word
  std::string detail;
  bool is_at_phase = false;  ///< the victim had stopped where it should
  std::int64_t begun_at = 0, met_at = 0, moved_at = 0, killed_at = 0, dead_at = 0, ended_at = 0;
  std::int64_t gap = 0;   ///< the longest without a message of the witness
  std::size_t count = 0;  ///< messages before the kill
  std::string transports;

  bool isOk() const { return outcome == "ok"; }
  /// Milliseconds from the meeting to the victim's first message; negative: none was waited for.
  double firstMs() const;
  /// Milliseconds from the kill to the end of the last request; negative: none was pending then.
  double detectionMs() const;
};

/// A table of phases, and of protocols; what has failed, with the words that replay it.
std::string report(const Options& options, const std::vector<Result>& results);
/// Phases that no victim has got to, though many were to: they are not where they were.
std::vector<std::string_view> unreachedPhases(const std::vector<Result>& results);
nlohmann::json toJson(const Options& options, const std::vector<Result>& results);
std::string replayWords(const Options& options, const Result& result);

}  // namespace ucxx::kills
