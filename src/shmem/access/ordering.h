// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/fence.h"

// Inside a node each access is done when its call returns; what is left is the order in which the
// processor shows stores. Stores past the caches are fenced where they are made.

namespace ucxx::shmem {

/// Stores before it come before stores after it.
inline void fence() noexcept { base::releaseFence(); }

/// Stores before it, plain ones as well, can be seen by all PEs before anything after it is read.
inline void quiet() noexcept { base::fullFence(); }

}  // namespace ucxx::shmem
