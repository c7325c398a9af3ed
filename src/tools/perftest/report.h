// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "tools/perftest/options.h"
#include "tools/perftest/result.h"

namespace ucxx::tools {

/// The table, a row at a time. OSU's columns, then percentiles and rates.
class Table {
 public:
  Table(const Options& options, std::FILE* out) : options_(options), out_(out) {}
  /// `transports`: what UCX uses for the pair.
  void begin(const Test& test, const std::string& transports) const;
  void add(const Row& row) const;

 private:
  void addCompared(const Row& row) const;
  void addPlace(const Row& row) const;

  const Options& options_;
  std::FILE* out_;
};

/// Everything as JSON: what ran, on what, and the rows.
nlohmann::json report(const Options& options, const std::vector<Row>& rows,
                      const std::string& transports);

}  // namespace ucxx::tools
