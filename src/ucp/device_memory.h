// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

namespace ucxx::ucp {

/// The machine has no driver of CUDA, as it turned out when it was looked for.
extern std::atomic<bool> lacks_cuda_driver;

bool askCudaDriver(const void* address) noexcept;

/// Whether `address` lies in CUDA memory that the processor does not reach: that of a device, not
/// managed memory. Asks the driver (`cuPointerGetAttributes`); false where there is none, or where
/// nobody has initialised it. From any thread.
inline bool isDeviceMemory(const void* address) noexcept {
  return !lacks_cuda_driver.load(std::memory_order_relaxed) && askCudaDriver(address);
}

}  // namespace ucxx::ucp
