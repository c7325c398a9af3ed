// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::tools {

/// Reads the descriptor to its end into memory that every context can read again, and that a
/// process which this one starts has under the same number; that number. It stays open until this
/// process ends. Throws `std::invalid_argument` when it cannot be read.
int keepSecret(int descriptor);

}  // namespace ucxx::tools
