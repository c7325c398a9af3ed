// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/api.h>

namespace ucxx::kills {

/// Lets the links of a worker say goodbye when their last endpoint is closed, not three seconds
/// later: a run is over by then. From the thread that drives the worker.
void partAtOnce(Worker& worker);

}  // namespace ucxx::kills
