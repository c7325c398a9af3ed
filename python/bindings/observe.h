// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/report.h>

#include "python.h"
#include "worker_state.h"

namespace ucxx::python {

/// The counters of a worker, and what `Worker::report` says, as Python has them.
nb::dict statsOf(const WorkerState& state);
nb::dict reportOf(const WorkerState& state);

}  // namespace ucxx::python
