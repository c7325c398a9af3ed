// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include "cuda/runtime/driver_calls.h"

namespace ucxx_runtime {

Result addKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     std::size_t count, const cudaKernelNodeParams* parameters);

}  // namespace ucxx_runtime
