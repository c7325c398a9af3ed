// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/runtime/driver_calls.h"
#include "cuda/runtime/kernel_nodes.h"

using namespace ucxx_runtime;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): CUDA's names
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return inDevice([&] { return cuStreamBeginCapture_v2(stream, mode); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return inDevice([&] { return cuStreamEndCapture(stream, graph); });
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return inDevice([&] { return cuGraphCreate(graph, flags); });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return inDevice([&] { return cuGraphDestroy(graph); });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, std::size_t count) {
  return inDevice([&] { return cuGraphAddEmptyNode(node, graph, after, count); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, std::size_t count,
                                 const cudaHostNodeParams* parameters) {
  return inDevice([&] { return cuGraphAddHostNode(node, graph, after, count, parameters); });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return inDevice([&] { return addKernelNode(node, graph, after, count, parameters); });
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        std::size_t count) {
  return inDevice([&] { return cuGraphAddDependencies_v2(graph, from, to, edges, count); });
}
#undef cudaGraphAddDependencies
// Before CUDA 13. The header has it or not, by the version.
extern "C" cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return inDevice([&] { return cuGraphInstantiateWithFlags(exec, graph, flags); });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return inDevice([&] { return cuGraphLaunch(exec, stream); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return inDevice([&] { return cuGraphExecDestroy(exec); });
}
// NOLINTEND(readability-identifier-naming)
