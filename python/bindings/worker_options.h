// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/options.h>

#include "python.h"

namespace ucxx::python {

/// A dict of `ucxx.types.WorkerOptions`; None is the default. Throws TypeError or ValueError, with
/// the name and what would be right.
WorkerOptions workerOptionsFrom(const nb::dict& given);

void bindWorkerOptions(nb::module_& module);

}  // namespace ucxx::python
