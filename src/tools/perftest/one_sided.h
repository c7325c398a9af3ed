// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "tools/perftest/traffic.h"

namespace ucxx::tools {

/// As `measure` and `answer`, of puts, gets and atomic operations on memory that the library
/// allocates on the other side. The latency of a put is half of a ping-pong, in which each side
/// looks at its memory until the other's last byte is there; of all else the time of one operation
/// after the other, on which the other side does nothing but progress.
Timing measureOneSided(Session& session, const Plan& plan);
void answerOneSided(Session& session, const Plan& plan);

}  // namespace ucxx::tools
