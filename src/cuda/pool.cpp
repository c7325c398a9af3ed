// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The pool: the host's part, and what is idle of devices.

#include <ucxx/pool.h>

#include "base/file_descriptor.h"
#include "core/request/device_copies.h"
#include "core/request/host_memory.h"
#include "cuda/device_blocks.h"

namespace ucxx {

PoolStats poolStats() noexcept {
  PoolStats stats = core::hostPoolStats();
  const cuda::DeviceBlockStats of_devices = cuda::deviceBlockStats();
  stats.device_used_bytes = of_devices.used_bytes;
  stats.device_idle_bytes = of_devices.idle_bytes;
  stats.device_idle_limit_bytes = of_devices.idle_limit_bytes;
  return stats;
}

std::uint64_t trimPool() noexcept { return core::trimHostPool() + cuda::trimDeviceBlocks(); }

void setPoolLimits(const PoolLimits& limits) noexcept {
  core::setHostPoolLimits(limits);
  if (limits.staging_bytes && !base::isForkedChild()) core::setStagingLimit(*limits.staging_bytes);
  if (limits.device_idle_bytes) cuda::setDeviceBlockLimit(*limits.device_idle_bytes);
}

}  // namespace ucxx
