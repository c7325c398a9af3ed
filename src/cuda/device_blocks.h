// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ucxx::cuda {

/// At least `size` bytes of memory of a device, in the context of AllocatingContext: of cuMemAlloc,
/// which comes back while streams wait, and whose memory other processes can open. It goes back
/// with the last pointer, in any thread, and is idle then: the next block of its context that is
/// not much smaller takes it. Only where the device has no memory left the call may wait, for what
/// is idle to go back to the driver. Up to 32 MiB, sizes double
/// from 512 bytes; beyond that they are multiples of 2 MiB.
///
/// `what`: who wants it, for errors. Throws `NoMemoryError`, what AllocatingContext throws, what
/// else the driver says, and `UnsupportedError` in a forked child.
std::shared_ptr<void> takeDeviceBlock(std::size_t size, const char* what);

/// @name All blocks of the process
/// Any thread. In a forked child they are all gone: nothing is done, all numbers are 0.
///
/// cuMemFree waits for all streams. So memory goes back to the driver only while nothing waits for
/// a transfer (`WhileNoneWaits`). What is idle beyond the limit goes when a block is given back,
/// but only by a thread that has a context: one that has none is a progress thread, for which
/// streams may wait in ways that nobody here sees.
/// @{
struct DeviceBlockStats {
  std::uint64_t used_bytes = 0, idle_bytes = 0, idle_limit_bytes = 0;
};
DeviceBlockStats deviceBlockStats() noexcept;
/// Gives all that is idle back to the driver, if nothing waits; returns the bytes.
std::uint64_t trimDeviceBlocks() noexcept;
/// How much may be idle; what is beyond goes at once, if nothing waits.
void setDeviceBlockLimit(std::uint64_t idle_bytes) noexcept;
/// @}

}  // namespace ucxx::cuda
