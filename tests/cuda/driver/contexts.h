// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include "cuda/driver/types.h"

namespace stand_in {

bool isDevice(int device);

/// Its handle stays the same, whatever becomes of the context.
gpu::Context primaryContext(int device);

/// Whether it is the handle of a context.
bool isContext(gpu::Context handle);
int deviceOf(gpu::Context context);

/// The current context of the calling thread, and its device.
gpu::Context& currentContext();
int currentDevice();

void setRetained(gpu::Context primary);  // there is one from now on
void setDestroyed(gpu::Context context);
bool isDestroyed(gpu::Context context);
bool isActive(gpu::Context primary);  // retained, and not destroyed since

}  // namespace stand_in
