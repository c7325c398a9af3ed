// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include "core/plan/plan_device.h"
#include "cuda/driver_calls.h"

namespace ucxx::cuda {

/// Memory by which the kernels of `context`, which is current on this thread, take part in a plan
/// of so many partitions, and a handle in it. `contributors`: 0 for a receive. Page-locked memory,
/// and memory of the device, are never given back to the driver, which would wait for all streams:
/// they are used again. Throws what the driver says.
std::unique_ptr<const core::PlanDevice> makePlanDevice(Context context, std::size_t partitions,
                                                       unsigned contributors, const char* what);

}  // namespace ucxx::cuda
