// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <nlohmann/json.hpp>

#include "peers/kills/plan.h"

namespace ucxx::kills {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plan, run, protocol, size, victim_sends, victim_receives,
                                   survivor_mode, victim_mode, meeting, fault, phase, passes, early,
                                   delay, stop, window, pace, lazy, close_after, survivor_closes,
                                   closes_endpoint)

}  // namespace ucxx::kills
