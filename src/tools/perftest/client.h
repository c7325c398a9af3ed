// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <vector>

#include "tools/perftest/control.h"
#include "tools/perftest/crew.h"
#include "tools/perftest/options.h"
#include "tools/perftest/progress_line.h"
#include "tools/perftest/report.h"

namespace ucxx::tools {

/// Asks the other process for each measurement in turn, and makes it. Throws `PeerGone`,
/// `std::runtime_error`, `ucxx::Error`.
class Client {
 public:
  Client(Control control, const Options& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Everything that the options ask for; rows appear in `table` as they are done.
  std::vector<Row> run(const Table& table);
  std::string transports() { return crew_.first().describeTransports(); }

 private:
  void meet();
  Plan planFor(const Test& test, std::size_t size);
  double trial(Plan plan, std::uint64_t iterations);
  [[noreturn]] void explain(const Error& error);
  std::vector<Timing> oursOnce(const Plan& plan);
  Measured theirsOnce(const Plan& plan);
  Row row(const Test& test, std::size_t size, ProgressLine& progress);
  std::size_t measurements() const;
  nlohmann::json ask(const char* what, nlohmann::json line);

  const Options& options_;
  Control control_;
  Crew crew_;
  MemoryKind received_in_ = MemoryKind::Host;  // the last message of the last measurement
};

}  // namespace ucxx::tools
