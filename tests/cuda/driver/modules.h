// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include "cuda/driver/queue.h"

namespace stand_in {

/// CUDA_KERNEL_NODE_PARAMS_v2
struct KernelNode {
  gpu::Kernel kernel;
  unsigned blocks[3], threads[3];
  unsigned shared_bytes;
  void** arguments;
  void** extra;
  void* library_kernel;
  gpu::Context context;
};
static_assert(sizeof(KernelNode) == 72);

/// What runs a kernel, with a copy of its arguments.
Result taskOf(const KernelNode& launch, Task& task);

void dropModules(const Life& life);

}  // namespace stand_in
