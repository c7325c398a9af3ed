// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "base/env.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include <strings.h>
#include <unistd.h>

namespace ucxx::base {
namespace {

constexpr std::pair<const char*, LogLevel> kLevels[] = {
    {"off", LogLevel::Off},     {"fatal", LogLevel::Error}, {"error", LogLevel::Error},
    {"warn", LogLevel::Warn},   {"diag", LogLevel::Warn},   {"info", LogLevel::Info},
    {"debug", LogLevel::Debug}, {"trace", LogLevel::Trace}, {"req", LogLevel::Trace},
    {"data", LogLevel::Trace},  {"async", LogLevel::Trace}, {"func", LogLevel::Trace},
    {"poll", LogLevel::Trace}};

/// All names that this library or the Python package reads.
constexpr std::string_view kKnown[] = {"UCXX_DUMP_SIGNAL",
                                       "UCXX_LOCAL",
                                       "UCXX_LOCAL_BULK",
                                       "UCXX_LOG_LEVEL",
                                       "UCXX_PATIENCE",
                                       "UCXX_SECRET_FILE",
                                       "UCXX_UCX",
                                       "UCXPY_IFNAME",
                                       "UCXPY_PROGRESS_MODE",
                                       "UCXPY_ENABLE_DELAYED_SUBMISSION",
                                       "UCXPY_ENABLE_PYTHON_FUTURE"};
/// Of the tests' programs, and of the build's.
constexpr std::string_view kOfOthers[] = {"UCXX_TEST_",   "UCXX_SIM_",    "UCXX_KILLS_",
                                          "UCXX_FAULTS_", "UCXX_LITMUS_", "UCXX_BUILD_"};

bool startsWith(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

bool isUnknown(std::string_view name) {
  if (!startsWith(name, "UCXX_") && !startsWith(name, "UCXPY_")) return false;
  const auto is_its_prefix = [name](std::string_view with) { return startsWith(name, with); };
  return std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown) &&
         std::none_of(std::begin(kOfOthers), std::end(kOfOthers), is_its_prefix);
}

/// How many letters have to be put in, taken out or changed (Levenshtein 1965).
std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t changed = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

std::string_view nearest(std::string_view name) {
  return *std::min_element(std::begin(kKnown), std::end(kKnown), [name](auto one, auto other) {
    return distance(name, one) < distance(name, other);
  });
}

LogLevel parseLevel(const char* text) {
  for (const auto& [name, level] : kLevels) {
    if (strcasecmp(text, name) == 0) return level;
  }
  return LogLevel::Warn;
}

Environment readEnvironment() {
  Environment result;
  if (const char* level = secure_getenv("UCXX_LOG_LEVEL"); level != nullptr && *level != '\0') {
    result.log_level = parseLevel(level);
    result.log_to_stderr = true;
  }
  result.local = secure_getenv("UCXX_LOCAL");
  result.local_bulk = secure_getenv("UCXX_LOCAL_BULK");
  result.patience = secure_getenv("UCXX_PATIENCE");
  result.secret_file = secure_getenv("UCXX_SECRET_FILE");
  return result;
}

}  // namespace

const Environment& environment() {
  static const Environment instance = readEnvironment();
  return instance;
}

std::vector<std::pair<std::string, std::string>> unknownVariables() {
  std::vector<std::pair<std::string, std::string>> result;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view entry = *variable;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (isUnknown(name)) result.emplace_back(name, nearest(name));
  }
  return result;
}

}  // namespace ucxx::base
