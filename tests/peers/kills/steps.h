// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "peers/kills/plan.h"

namespace ucxx::kills {

/// Has the tool see every step of the protocols (src/base/phases.h) that this process takes, in
/// whatever thread. With `UCXX_TEST_DELAYS=SEED` some of them take longer: which, how often and how
/// long comes from the seed, the run, the role and the thread.
void watchSteps(std::string_view role);
/// From now on delays are those of this run.
void delayFor(const Plan& plan);
/// How many steps have moved bytes, or finished a copy of some; of large payloads, too, of which
/// nothing has ended. Others may read it in this process's memory.
const std::atomic<std::uint64_t>& stepsThatMove() noexcept;

}  // namespace ucxx::kills
