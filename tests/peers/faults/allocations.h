// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

namespace ucxx::faults {

/// From now on the allocation after so many others (of C++, of any thread) fails, once. Negative:
/// none does.
void failAllocation(std::int64_t after);
/// The one that was to fail has.
bool hasAllocationFailed();

}  // namespace ucxx::faults
