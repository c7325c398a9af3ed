// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "tools/perftest/control.h"

namespace ucxx::kills {

/// The process that is killed. It is told its plan by the line "go", says when it moves, and where
/// it has stopped itself.
int runVictim(tools::Control& control);

}  // namespace ucxx::kills
