// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/driver/modules.h"
#include "cuda/driver/stand_in.h"
#include "cuda/runtime/kernel_nodes.h"

namespace ucxx_runtime {
namespace {

using Handle = ucxx::base::cuda::Kernel;
using ucxx::base::cuda::Module;

struct Loaded {
  std::mutex mutex;
  std::map<void*, Handle> kernels;  // guarded by `mutex`; they stay
};

Loaded& loaded() {
  static auto* const only = new Loaded;
  return *only;
}

/// Null: it was never launched.
Handle find(void* function) {
  const std::lock_guard lock(loaded().mutex);
  const auto found = loaded().kernels.find(function);
  return found == loaded().kernels.end() ? nullptr : found->second;
}

/// A module for the kernel alone, which the driver knows by a name.
Result load(const Kernel& kernel, Handle& handle) {
  char name[40];
  std::snprintf(name, sizeof name, "kernel_%p", kernel.function);
  stand_in::registerKernel(name, kernel.body, kernel.function,
                           std::vector<std::size_t>(kernel.sizes, kernel.sizes + kernel.count),
                           stand_in::Threads::AtOnce);
  const std::string text = ".version 6.0 .entry " + std::string(name) + "(";
  Module module = nullptr;
  if (const Result result = cuModuleLoadData(&module, text.c_str()); result != 0) return result;
  return cuModuleGetFunction(&handle, module, name);
}

/// Others may have loaded it meanwhile; either is the same function.
Result handleOf(const Kernel& kernel, Handle& handle) {
  handle = find(kernel.function);
  if (handle != nullptr) return 0;
  if (const Result result = load(kernel, handle); result != 0) return result;
  const std::lock_guard lock(loaded().mutex);
  loaded().kernels[kernel.function] = handle;
  return 0;
}

/// The stand-in has one dimension, and runs all threads of a kernel at the same time.
void tellLimit(Result result, dim3 blocks, dim3 threads) {
  if (result == cudaErrorLaunchOutOfResources || result == cudaErrorNotSupported)
    std::fprintf(stderr,
                 "CUDA stand-in: a kernel of %u x %u x %u blocks of %u x %u x %u threads; it runs "
                 "one dimension, and 256 threads in all\n",
                 blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z);
}

}  // namespace

cudaError_t launch(const Kernel& kernel, dim3 blocks, dim3 threads, void** arguments,
                   std::size_t shared_bytes, cudaStream_t stream) {
  const cudaError_t error = inDevice([&] {
    Handle handle = nullptr;
    if (const Result result = handleOf(kernel, handle); result != 0) return result;
    return cuLaunchKernel(handle, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z,
                          static_cast<unsigned>(shared_bytes), stream, arguments, nullptr);
  });
  tellLimit(error, blocks, threads);
  return error;
}

Result addKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     std::size_t count, const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const Handle handle = find(parameters->func);
  if (handle == nullptr) return cudaErrorInvalidDeviceFunction;
  const dim3 &blocks = parameters->gridDim, &threads = parameters->blockDim;
  const stand_in::KernelNode its{handle,
                                 {blocks.x, blocks.y, blocks.z},
                                 {threads.x, threads.y, threads.z},
                                 parameters->sharedMemBytes,
                                 parameters->kernelParams,
                                 parameters->extra,
                                 nullptr,
                                 nullptr};
  return cuGraphAddKernelNode_v2(node, graph, after, count, &its);
}

unsigned threadIndex() { return stand_in::place().thread; }
unsigned blockIndex() { return stand_in::place().block; }
unsigned threadCount() { return stand_in::place().threads; }
unsigned blockCount() { return stand_in::place().blocks; }
void syncThreads() { stand_in::syncThreads(); }
void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

}  // namespace ucxx_runtime
