// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::local {

/// How fast copies between processes through the kernel are here (peer_memory.h). That is a matter
/// of the kernel and the virtual machine: a page costs from 0.1 to 0.4 us.
struct CopySpeed {
  double bytes_per_second = 0;  ///< of one process; 0: the kernel refuses
  /// Two processes that both copy so are likely faster than two copies through a ring.
  bool beats_rings = false;
};

/// Measured once per process, in about 50 us.
const CopySpeed& kernelCopySpeed() noexcept;

}  // namespace ucxx::local
