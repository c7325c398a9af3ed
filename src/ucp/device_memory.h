// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

namespace ucxx::ucp {

/// The machine has no driver of CUDA, as it turned out when it was looked for.
extern std::atomic<bool> lacks_cuda_driver;

/// False: there is no driver, and so nothing to ask about. From any thread.
inline bool mayHaveDeviceMemory() noexcept {
  return !lacks_cuda_driver.load(std::memory_order_relaxed);
}

/// Whether the driver says that an address lies in the memory of a device, which is not managed
/// memory. `is_said`: its caller says so, which counts where the driver is too old to be asked.
/// From any thread.
bool askCudaDriver(const void* address, bool is_said) noexcept;

}  // namespace ucxx::ucp
