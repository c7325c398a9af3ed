// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "cuda/driver_calls.h"

namespace ucxx::cuda {

/// Whose memory an address is, as the driver says.
struct MemoryPlace {
  bool is_on_device = false;    // and the processor does not reach it
  bool is_page_locked = false;  // of the host: devices copy from and to it directly
  Context context = nullptr;    // null: of no context, as memory of pools
  int device = 0;
};

/// Asks it. Where there is no driver, or nobody has initialised it, all memory is the host's. Throws
/// what the driver says.
MemoryPlace placeOf(const void* address);

}  // namespace ucxx::cuda
