// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include "cuda/driver/types.h"

namespace stand_in {

struct Life;

bool isDevice(int device);

/// Its handle stays the same, whatever becomes of the context.
gpu::Context primaryContext(int device);
gpu::Context makeContext(int device);

/// Whether it is the handle of a context that is there: of a device, or made and not destroyed.
bool isContext(gpu::Context handle);
/// ... or has been.
bool wasContext(gpu::Context handle);
bool isPrimary(gpu::Context context);
int deviceOf(gpu::Context context);

/// The current context of the calling thread, and its device.
gpu::Context& currentContext();
int currentDevice();

/// The life that a context has now, or had last; and the current one's. A thread that runs entries
/// of streams has theirs.
Life& lifeOf(gpu::Context context);
Life& currentLife();

void setRetained(gpu::Context primary);  // there is one from now on
/// All that it has is gone. A primary one has another life, once it is retained again.
void destroy(gpu::Context context);
bool isDestroyed(gpu::Context context);
bool isActive(gpu::Context primary);  // retained, and not destroyed since

}  // namespace stand_in
