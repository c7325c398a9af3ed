// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>

#include "core/request/operation.h"
#include "cuda/driver_calls.h"

namespace ucxx::cuda {

using base::cuda::Graph;
using base::cuda::Node;

/// Where a request is in a graph.
struct GraphNode {
  Node node = nullptr;
  Graph graph = nullptr;           // may be gone
  unsigned long long capture = 0;  // that has made the graph; 0: none
};

/// Room for the node of `op`, which only this thread knows, for as long as its request lives.
/// Throws `std::bad_alloc`.
GraphNode& noteNode(core::Operation& op);

/// None: the request is of no graph. Any thread.
std::optional<GraphNode> nodeOf(const core::Operation& op);

}  // namespace ucxx::cuda
