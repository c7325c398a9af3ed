// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ucxx/request.h>

#include "python.h"

struct CUgraph_st;  // what cudaGraph_t and cudaGraphNode_t point to
struct CUgraphNode_st;

namespace ucxx {
class Prepared;
class Worker;
}  // namespace ucxx

namespace ucxx::python {

/// @name What Python gives as a stream, a graph, or nodes of a graph of CUDA
/// Libraries have objects of their own for them: `ucxx._arguments.streams` knows these. Throw a
/// Python error that says what is taken; the legacy default stream is an error, too.
/// @{
CUstream_st* streamOf(nb::handle stream);
CUgraph_st* graphOf(nb::handle graph);
std::vector<CUgraphNode_st*> nodesOf(nb::handle nodes);
/// @}

/// Throws `InvalidParamError`: who waits for a device cannot move the worker meanwhile, and it has
/// no progress thread. `what` needs one: "wait_on".
void requireThread(const Worker& worker, const char* what);

/// @name Requests and plans that a device may wait for
/// At the end of the interpreter nobody moves their workers any more. With the GIL.
/// @{
void noteDeviceWaits(const std::shared_ptr<Request>& request) noexcept;
void noteDeviceWaits(const std::shared_ptr<Prepared>& plan) noexcept;
/// Cancels them, closes the plans, and waits for their ends without the GIL: half a second at most.
void endDeviceWaits();
/// @}

/// The words of a condition, or of a prepared transfer, for kernels. Keeps its owner: once that has
/// gone, others get the words.
struct DeviceHandle {
  nb::object owner;
  std::uintptr_t address = 0;
};

}  // namespace ucxx::python
