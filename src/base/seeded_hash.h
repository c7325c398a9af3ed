// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/id128.h"

namespace ucxx::base {

/// Spreads keys that a peer chooses. It does not know the seeds, which each table has of its own,
/// so it cannot find many keys for one bucket. The high bits are the best.
class SeededHash {
 public:
  SeededHash() : first_(randomU64() | 1), second_(randomU64() | 1) {}

  std::size_t operator()(std::uint64_t key) const noexcept {
    key *= first_;
    return (key ^ key >> 32) * second_;
  }

 private:
  std::uint64_t first_, second_;  // odd: no two keys have one hash
};

}  // namespace ucxx::base
