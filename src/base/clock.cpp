// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/clock.h"

namespace ucxx::base {

Clock::time_point Clock::now() noexcept { return std::chrono::steady_clock::now(); }

}  // namespace ucxx::base
