// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include <ucxx/export.h>

namespace ucxx::base::cuda {

/// What a device offers to communication, as its driver says.
struct DeviceOffer {
  std::string name;
  bool has_memory_operations = false;  // streams write and await words of 64 bits
  bool has_rdma = false;               // network cards reach its memory (GPUDirect RDMA)
  bool flushes_writes = false;         // what they have written can be flushed by the processor
  int writes_ordering = 0;             // CUGPUDirectRDMAWritesOrdering: 0 none, 100 owner, 200 all
};

/// "NVIDIA H200: 64-bit memory operations yes; GPUDirect RDMA yes, ..."
UCXX_PUBLIC std::string toString(const DeviceOffer& device);

struct Offer {
  bool is_there = false;  // a driver's library, and not the toolkit's stub of it
  std::string missing;    // why CUDA cannot be used; empty: it can
  std::string version;    // of CUDA, "13.0"; empty: not known
  std::vector<DeviceOffer> devices;
};

/// Asks the driver, which it initialises (cuInit): for programs that tell of the machine. From any
/// thread.
UCXX_PUBLIC Offer offer();

}  // namespace ucxx::base::cuda
