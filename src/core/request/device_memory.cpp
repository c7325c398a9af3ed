// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/request/device_memory.h"

#include "core/request/known_memory.h"
#include "local/arena.h"

namespace ucxx::core {

constinit thread_local KnownMemory* KnownMemory::innermost = nullptr;

bool askForDeviceMemory(const void* address) noexcept {
  const MemoryOf known = KnownMemory::of(address);
  if (known == MemoryOf::Host) return false;
  if (known == MemoryOf::Asked) return true;
  const local::Arena* const arena = local::Arena::existing();
  if (arena != nullptr && arena->contains(address, 1)) return false;
  return ucp::askCudaDriver(address, known == MemoryOf::Device);
}

}  // namespace ucxx::core
