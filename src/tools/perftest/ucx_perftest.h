// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tools/perftest/process.h"
#include "tools/perftest/result.h"

namespace ucxx::tools {

/// UCX's own ucx_perftest, of the UCX that this process uses.
class UcxPerftest {
 public:
  /// Throws `std::runtime_error` naming the places where it was looked for.
  explicit UcxPerftest(const Options& options);

  /// False for what it cannot measure (multi-buffer messages).
  static bool knows(const Test& test) noexcept { return test.kind != Kind::Multi; }

  /// Its server, for one client; ready when this returns. `port` receives where.
  std::unique_ptr<Child> serve(std::uint16_t& port) const;
  /// Measures against such a server.
  Measured measure(const Plan& plan, const std::string& host, std::uint16_t port) const;
  const std::string& path() const noexcept { return path_; }

 private:
  Command command() const;

  std::string path_;
  const Options& options_;
};

}  // namespace ucxx::tools
