// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdlib>

namespace ucxx::fuzz {

/// What must hold whatever the bytes; else the fuzzer has found something.
inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace ucxx::fuzz
