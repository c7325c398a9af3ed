// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include "peers/faults/asked.h"

namespace ucxx::faults {

/// What a friend and a server did under a fault that must change nothing.
struct Stay {
  std::size_t exchanges = 0, connects = 0;
  double longest_ms = 0;
  std::string why;  ///< empty, or what failed
  std::string text() const;
};

/// Exchanges for so long, then connects some times.
Stay stayTogether(Party& caller, std::uint16_t port, int ms);

}  // namespace ucxx::faults
