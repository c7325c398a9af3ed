// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include "base/cuda_types.h"

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

/// All that the driver says of an address.
struct MemoryPlace {
  bool is_on_device = false;              // which the processor does not reach; no managed memory
  bool is_page_locked = false;            // of the host: devices copy from and to it directly
  bool has_ipc_handle = false;            // of a device: UCX can map it in another process
  bool is_unknown = false;                // the driver has failed to say: nobody may touch it
  base::cuda::Context context = nullptr;  // null: of none, as memory of pools
  int device = 0;
};

/// The same, in one question. Where there is no driver, or it cannot be asked, all memory is the
/// host's. From any thread.
MemoryPlace placeOf(const void* address) noexcept;

}  // namespace ucxx::ucp
