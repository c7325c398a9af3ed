// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::ucp {

/// Whether `address` lies in CUDA memory that the processor does not reach: that of a device, not
/// managed memory. Asks the driver (`cuPointerGetAttribute`); false where there is none, or where
/// nobody has initialised it. From any thread.
bool isDeviceMemory(const void* address) noexcept;

}  // namespace ucxx::ucp
