// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

#include "core/request/device_copies.h"
#include "cuda/driver_calls.h"

namespace ucxx::cuda {

/// A block of the memory through which bytes go from and to a device: library memory, so that local
/// peers copy from it and to it as well, and page-locked, so that a device does. It is the
/// process's, and is given back with the last reference. Null: none is free.
/// `core::takeStaging` leaves some blocks to what has begun already. Any thread.
std::shared_ptr<std::byte> takeBlock(std::size_t size) noexcept;

/// More blocks where few are free, up to the limit. Locks them for all contexts;
/// one is current on this thread. Where the driver does not lock them they are used as they are,
/// which a warning says once.
void provideBlocks() noexcept;

/// What is page-locked goes with the context that was current then: a block that is not locked any
/// more is locked again, for the one that is current on this thread.
void keepLocked(const std::byte* block) noexcept;

/// What there is, for tests. Bytes.
struct StagingStats {
  std::size_t made = 0, locked = 0, taken = 0;
};
StagingStats stagingStats() noexcept;

}  // namespace ucxx::cuda
