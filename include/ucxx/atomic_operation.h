// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

namespace ucxx {

/// What an atomic operation makes of a word of 4 or 8 bytes and its operand; additions wrap.
enum class AtomicOperation : std::uint8_t {
  Add,
  And,
  Or,
  Xor,
  Swap,  ///< the operand
};

}  // namespace ucxx
