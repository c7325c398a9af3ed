// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ucxx/log.h>

namespace ucxx::base {

/// Every `UCXX_*` variable of the library, read once. A set-uid program ignores them all.
struct Environment {
  /// `UCXX_LOG_LEVEL`: off, error, warn, info, debug or trace (any case; UCX's finer names count as
  /// trace). When set, log lines go to standard error.
  LogLevel log_level = LogLevel::Warn;
  bool log_to_stderr = false;
  /// `UCXX_LOCAL`: auto, off or only, see `createContext`. Null: not set.
  const char* local = nullptr;
  /// `UCXX_LOCAL_BULK`: auto, ring or copy, see `createContext`. Null: not set.
  const char* local_bulk = nullptr;
  /// `UCXX_PATIENCE`: seconds, or auto, see `createContext`. Null: not set.
  const char* patience = nullptr;
  /// `UCXX_SECRET_FILE`: a path, see `createContext`. Null: not set.
  const char* secret_file = nullptr;
};

const Environment& environment();

/// For each variable of the environment whose name begins with UCXX_ or UCXPY_ and that nothing of
/// the library or the Python package reads: its name, and the nearest that something reads.
std::vector<std::pair<std::string, std::string>> unknownVariables();

}  // namespace ucxx::base
