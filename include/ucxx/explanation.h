// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include <ucxx/export.h>

namespace ucxx {

/// How a message would go to the peer of an endpoint now, as `Endpoint::explain` says. Texts for
/// people: their words may change, so programs compare none of them.
struct UCXX_PUBLIC Explanation {
  std::string channel;                  ///< "self", "local", "UCX"; "none": there is no way
  std::string way;                      ///< "one record of 17 lines in the ring", ...
  std::vector<std::string> transports;  ///< of UCX below, with their devices: "tcp/eth0"
  /// What was not chosen and why, and the limits that decide, with their values.
  std::vector<std::string> remarks;

  /// All of it, in lines.
  std::string toString() const;
};

}  // namespace ucxx
