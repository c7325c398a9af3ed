// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <vector>

namespace ucxx::shmem::oshrun {

/// The numbers of the processors that this process may use.
std::vector<int> usableProcessors();
/// The calling process runs there alone.
bool bindTo(int processor) noexcept;

}  // namespace ucxx::shmem::oshrun
