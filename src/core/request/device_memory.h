// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "ucp/device_memory.h"

namespace ucxx::core {

bool askForDeviceMemory(const void* address) noexcept;

/// Whether `address` lies in CUDA memory that the processor does not reach: that of a device, not
/// managed memory. The driver is asked (`cuPointerGetAttributes`, 93 ns on an H200) unless it is
/// known: library memory is the host's, and what `KnownMemory` says. False where there is no
/// driver, or where nobody has initialised it. From any thread.
[[gnu::always_inline]] inline bool isDeviceMemory(const void* address) noexcept {
  return ucp::mayHaveDeviceMemory() && askForDeviceMemory(address);
}

}  // namespace ucxx::core
