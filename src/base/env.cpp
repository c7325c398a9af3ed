// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "base/env.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include <strings.h>

namespace ucxx::base {
namespace {

constexpr std::pair<const char*, LogLevel> kLevels[] = {
    {"off", LogLevel::Off},     {"fatal", LogLevel::Error}, {"error", LogLevel::Error},
    {"warn", LogLevel::Warn},   {"diag", LogLevel::Warn},   {"info", LogLevel::Info},
    {"debug", LogLevel::Debug}, {"trace", LogLevel::Trace}, {"req", LogLevel::Trace},
    {"data", LogLevel::Trace},  {"async", LogLevel::Trace}, {"func", LogLevel::Trace},
    {"poll", LogLevel::Trace}};

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
  result.secret_file = secure_getenv("UCXX_SECRET_FILE");
  return result;
}

}  // namespace

const Environment& environment() {
  static const Environment instance = readEnvironment();
  return instance;
}

}  // namespace ucxx::base
