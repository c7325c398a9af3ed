// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "tools/perftest/control.h"

namespace ucxx::kills {

/// The process that must survive many victims, one after the other, and serves the witness all the
/// time. Lines that it is told: "begin" with a plan; "meet" with where the victim is; "killed" with
/// the time. It answers the last one with its verdict.
int runSurvivor(tools::Control& control);

}  // namespace ucxx::kills
