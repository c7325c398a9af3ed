// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "core/bulk/offers.h"

namespace ucxx::core {

/// How a payload in memory of a device gets to where the peer can copy it: in parts, a few at a
/// time, each in memory of the library, and announced when it is there.
struct Offers::Staging {
  struct Part {
    std::shared_ptr<std::byte> memory;
    std::size_t size = 0;
    std::size_t coming = 0;  // copies into it
    bool is_told = false;    // to the peer
  };
  std::deque<Part> parts;     // oldest first
  bool is_whole = false;      // one part has all, which goes in pieces
  bool is_on_device = false;  // as the driver has said
  bool by_ucx = false;        // UCX reaches its blocks
};

}  // namespace ucxx::core
