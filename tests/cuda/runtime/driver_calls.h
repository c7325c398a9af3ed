// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The functions of the stand-in for the driver that the one for the runtime calls.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cuda_types.h"
#include "cuda/runtime/cuda_runtime.h"

namespace ucxx_runtime {

using ucxx::base::cuda::Address;
using ucxx::base::cuda::Context;
using ucxx::base::cuda::Event;
using ucxx::base::cuda::Exec;
using ucxx::base::cuda::Graph;
using ucxx::base::cuda::Node;
using ucxx::base::cuda::Result;
using ucxx::base::cuda::Stream;

/// Makes the device current in the calling thread, if none is.
Result useDevice();
/// Notes an error of the calling thread.
cudaError_t told(Result result);

/// A function of the runtime: with a device, and its error noted.
template <class Call>
cudaError_t inDevice(const Call& call) {
  const Result result = useDevice();
  return told(result != 0 ? result : call());
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
extern "C" {
Result cuInit(unsigned flags);
Result cuGetErrorName(Result result, const char** name);
Result cuGetErrorString(Result result, const char** text);
Result cuDeviceGetCount(int* count);
Result cuDevicePrimaryCtxRetain(Context* context, int device);
Result cuCtxGetCurrent(Context* context);
Result cuCtxSetCurrent(Context context);
Result cuCtxGetDevice(int* device);
Result cuCtxSynchronize();
Result cuMemAlloc_v2(Address* address, std::size_t size);
Result cuMemFree_v2(Address address);
Result cuMemHostAlloc(void** pointer, std::size_t size, unsigned flags);
Result cuMemFreeHost(void* pointer);
Result cuMemHostRegister_v2(void* pointer, std::size_t size, unsigned flags);
Result cuMemHostUnregister(void* pointer);
Result cuMemHostGetDevicePointer_v2(Address* address, void* pointer, unsigned flags);
Result cuPointerGetAttribute(void* place, int attribute, Address address);
Result cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t size, Stream stream);
Result cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t size, Stream stream);
Result cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t size, Stream stream);
Result cuMemsetD8Async(Address to, unsigned char byte, std::size_t size, Stream stream);
Result cuStreamCreate(Stream* stream, unsigned flags);
Result cuStreamDestroy_v2(Stream stream);
Result cuStreamQuery(Stream stream);
Result cuStreamSynchronize(Stream stream);
Result cuStreamWaitEvent(Stream stream, Event event, unsigned flags);
Result cuLaunchHostFunc(Stream stream, void (*function)(void*), void* data);
Result cuEventCreate(Event* event, unsigned flags);
Result cuEventDestroy_v2(Event event);
Result cuEventRecord(Event event, Stream stream);
Result cuEventQuery(Event event);
Result cuEventSynchronize(Event event);
Result cuStreamBeginCapture_v2(Stream stream, int mode);
Result cuStreamEndCapture(Stream stream, Graph* graph);
Result cuGraphCreate(Graph* graph, unsigned flags);
Result cuGraphDestroy(Graph graph);
Result cuGraphAddEmptyNode(Node* node, Graph graph, const Node* after, std::size_t count);
Result cuGraphAddHostNode(Node* node, Graph graph, const Node* after, std::size_t count,
                          const void* parameters);
Result cuGraphAddKernelNode_v2(Node* node, Graph graph, const Node* after, std::size_t count,
                               const void* parameters);
Result cuGraphAddDependencies_v2(Graph graph, const Node* from, const Node* to, const void* edges,
                                 std::size_t count);
Result cuGraphInstantiateWithFlags(Exec* exec, Graph graph, unsigned long long flags);
Result cuGraphLaunch(Exec exec, Stream stream);
Result cuGraphExecDestroy(Exec exec);
Result cuModuleLoadData(ucxx::base::cuda::Module* module, const void* image);
Result cuModuleGetFunction(ucxx::base::cuda::Kernel* kernel, ucxx::base::cuda::Module module,
                           const char* name);
Result cuLaunchKernel(ucxx::base::cuda::Kernel kernel, unsigned blocks_x, unsigned blocks_y,
                      unsigned blocks_z, unsigned threads_x, unsigned threads_y, unsigned threads_z,
                      unsigned shared_bytes, Stream stream, void** arguments, void** extra);
}
// NOLINTEND(readability-identifier-naming)

}  // namespace ucxx_runtime
