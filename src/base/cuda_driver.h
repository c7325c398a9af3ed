// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// CUDA's driver, libcuda.so.1, which nothing links to: it is looked for when somebody first asks.

#pragma once

#include <cstddef>
#include <cstdint>

#include <ucxx/export.h>

#include "base/cuda_types.h"

namespace ucxx::base::cuda {

/// Name here, name there, the version of CUDA that brought the form wanted, signature. The names
/// are without suffix, which would be that of one form (cuMemAlloc_v2): the version says the form.
#define UCXX_CUDA_FUNCTIONS(X)                                                                     \
  X(init, cuInit, 2000, Result(unsigned))                                                          \
  X(driverVersion, cuDriverGetVersion, 2020, Result(int*))                                         \
  X(errorName, cuGetErrorName, 6000, Result(Result, const char**))                                 \
  X(errorText, cuGetErrorString, 6000, Result(Result, const char**))                               \
  X(deviceCount, cuDeviceGetCount, 2000, Result(int*))                                             \
  X(device, cuDeviceGet, 2000, Result(int*, int))                                                  \
  X(deviceName, cuDeviceGetName, 2000, Result(char*, int, int))                                    \
  X(deviceAttribute, cuDeviceGetAttribute, 2000, Result(int*, int, int))                           \
  X(retainContext, cuDevicePrimaryCtxRetain, 7000, Result(Context*, int))                          \
  X(resetContext, cuDevicePrimaryCtxReset, 11000, Result(int))                                     \
  X(setContext, cuCtxSetCurrent, 4000, Result(Context))                                            \
  X(getContext, cuCtxGetCurrent, 4000, Result(Context*))                                           \
  X(contextDevice, cuCtxGetDevice, 2000, Result(int*))                                             \
  X(contextId, cuCtxGetId, 12000, Result(Context, unsigned long long*))                            \
  X(createContext, cuCtxCreate, 3020, Result(Context*, unsigned, int))                             \
  X(destroyContext, cuCtxDestroy, 4000, Result(Context))                                           \
  X(priorityRange, cuCtxGetStreamPriorityRange, 5050, Result(int*, int*))                          \
  X(synchronize, cuCtxSynchronize, 2000, Result())                                                 \
  X(allocate, cuMemAlloc, 3020, Result(Address*, std::size_t))                                     \
  X(free, cuMemFree, 3020, Result(Address))                                                        \
  X(allocateManaged, cuMemAllocManaged, 6000, Result(Address*, std::size_t, unsigned))             \
  X(allocateHost, cuMemHostAlloc, 2020, Result(void**, std::size_t, unsigned))                     \
  X(freeHost, cuMemFreeHost, 2000, Result(void*))                                                  \
  X(registerHost, cuMemHostRegister, 6050, Result(void*, std::size_t, unsigned))                   \
  X(unregisterHost, cuMemHostUnregister, 4000, Result(void*))                                      \
  X(deviceAddress, cuMemHostGetDevicePointer, 3020, Result(Address*, void*, unsigned))             \
  X(fill8, cuMemsetD8, 3020, Result(Address, unsigned char, std::size_t))                          \
  X(copyIn, cuMemcpyHtoD, 3020, Result(Address, const void*, std::size_t))                         \
  X(copyOut, cuMemcpyDtoH, 3020, Result(void*, Address, std::size_t))                              \
  X(copyInAsync, cuMemcpyHtoDAsync, 3020, Result(Address, const void*, std::size_t, Stream))       \
  X(copyOutAsync, cuMemcpyDtoHAsync, 3020, Result(void*, Address, std::size_t, Stream))            \
  X(copyAsync, cuMemcpyAsync, 4000, Result(Address, Address, std::size_t, Stream))                 \
  X(allocateAsync, cuMemAllocAsync, 11020, Result(Address*, std::size_t, Stream))                  \
  X(freeAsync, cuMemFreeAsync, 11020, Result(Address, Stream))                                     \
  X(pointerAttribute, cuPointerGetAttribute, 4000, Result(void*, int, Address))                    \
  X(pointerAttributes, cuPointerGetAttributes, 7000, Result(unsigned, int*, void**, Address))      \
  X(addressRange, cuMemGetAddressRange, 3020, Result(Address*, std::size_t*, Address))             \
  X(createStream, cuStreamCreate, 2000, Result(Stream*, unsigned))                                 \
  X(createStreamWithPriority, cuStreamCreateWithPriority, 5050, Result(Stream*, unsigned, int))    \
  X(destroyStream, cuStreamDestroy, 4000, Result(Stream))                                          \
  X(queryStream, cuStreamQuery, 2000, Result(Stream))                                              \
  X(synchronizeStream, cuStreamSynchronize, 2000, Result(Stream))                                  \
  X(streamId, cuStreamGetId, 12000, Result(Stream, unsigned long long*))                           \
  X(streamContext, cuStreamGetCtx, 9020, Result(Stream, Context*))                                 \
  X(waitEvent, cuStreamWaitEvent, 3020, Result(Stream, Event, unsigned))                           \
  X(writeValue64, cuStreamWriteValue64, 11070, Result(Stream, Address, std::uint64_t, unsigned))   \
  X(waitValue64, cuStreamWaitValue64, 11070, Result(Stream, Address, std::uint64_t, unsigned))     \
  X(writeValue32, cuStreamWriteValue32, 11070, Result(Stream, Address, std::uint32_t, unsigned))   \
  X(waitValue32, cuStreamWaitValue32, 11070, Result(Stream, Address, std::uint32_t, unsigned))     \
  X(batch, cuStreamBatchMemOp, 11070, Result(Stream, unsigned, MemoryOperation*, unsigned))        \
  X(createEvent, cuEventCreate, 2000, Result(Event*, unsigned))                                    \
  X(destroyEvent, cuEventDestroy, 4000, Result(Event))                                             \
  X(recordEvent, cuEventRecord, 2000, Result(Event, Stream))                                       \
  X(queryEvent, cuEventQuery, 2000, Result(Event))                                                 \
  X(synchronizeEvent, cuEventSynchronize, 2000, Result(Event))                                     \
  X(loadModule, cuModuleLoadData, 2000, Result(Module*, const void*))                              \
  X(unloadModule, cuModuleUnload, 2000, Result(Module))                                            \
  X(getFunction, cuModuleGetFunction, 2000, Result(Kernel*, Module, const char*))                  \
  X(launch, cuLaunchKernel, 4000,                                                                  \
    Result(Kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,   \
           void**, void**))                                                                        \
  X(launchHost, cuLaunchHostFunc, 10000, Result(Stream, void (*)(void*), void*))                   \
  X(beginCapture, cuStreamBeginCapture, 10010, Result(Stream, int))                                \
  X(endCapture, cuStreamEndCapture, 10000, Result(Stream, Graph*))                                 \
  X(isCapturing, cuStreamIsCapturing, 10000, Result(Stream, int*))                                 \
  X(captureInfo, cuStreamGetCaptureInfo, 12030,                                                    \
    Result(Stream, int*, unsigned long long*, Graph*, const Node**, const void**, std::size_t*))   \
  X(updateCapture, cuStreamUpdateCaptureDependencies, 12030,                                       \
    Result(Stream, Node*, const void*, std::size_t, unsigned))                                     \
  X(exchangeCaptureMode, cuThreadExchangeStreamCaptureMode, 10010, Result(int*))                   \
  X(createGraph, cuGraphCreate, 10000, Result(Graph*, unsigned))                                   \
  X(destroyGraph, cuGraphDestroy, 10000, Result(Graph))                                            \
  X(graphNodes, cuGraphGetNodes, 10000, Result(Graph, Node*, std::size_t*))                        \
  X(nodeType, cuGraphNodeGetType, 10000, Result(Node, int*))                                       \
  X(destroyNode, cuGraphDestroyNode, 10000, Result(Node))                                          \
  X(addDependencies, cuGraphAddDependencies, 12030,                                                \
    Result(Graph, const Node*, const Node*, const void*, std::size_t))                             \
  X(addBatchNode, cuGraphAddBatchMemOpNode, 11070,                                                 \
    Result(Node*, Graph, const Node*, std::size_t, const BatchNode*))                              \
  X(batchNodeOf, cuGraphBatchMemOpNodeGetParams, 11070, Result(Node, BatchNode*))                  \
  X(setBatchNode, cuGraphExecBatchMemOpNodeSetParams, 11070, Result(Exec, Node, const BatchNode*)) \
  X(instantiate, cuGraphInstantiateWithFlags, 11040, Result(Exec*, Graph, unsigned long long))     \
  X(launchGraph, cuGraphLaunch, 10000, Result(Exec, Stream))                                       \
  X(destroyExec, cuGraphExecDestroy, 10000, Result(Exec))                                          \
  X(createUserObject, cuUserObjectCreate, 11030,                                                   \
    Result(UserObject*, void*, void (*)(void*), unsigned, unsigned))                               \
  X(retainUserObject, cuGraphRetainUserObject, 11030,                                              \
    Result(Graph, UserObject, unsigned, unsigned))                                                 \
  X(releaseUserObject, cuUserObjectRelease, 11030, Result(UserObject, unsigned))                   \
  X(createConditional, cuGraphConditionalHandleCreate, 12030,                                      \
    Result(unsigned long long*, Graph, Context, unsigned, unsigned))                               \
  X(addNode, cuGraphAddNode, 12030,                                                                \
    Result(Node*, Graph, const Node*, const void*, std::size_t, void*))                            \
  X(flushWrites, cuFlushGPUDirectRDMAWrites, 11030, Result(int, int))                              \
  X(ipcHandle, cuIpcGetMemHandle, 4010, Result(IpcHandle*, Address))                               \
  X(ipcOpen, cuIpcOpenMemHandle, 11000, Result(Address*, IpcHandle, unsigned))                     \
  X(ipcClose, cuIpcCloseMemHandle, 4010, Result(Address))

/// A function of the driver; one that is not there answers `kNotFound`.
template <class Signature>
class Function;
template <class... Arguments>
class Function<Result(Arguments...)> {
 public:
  void set(void* address) noexcept {
    address_ = reinterpret_cast<Result (*)(Arguments...)>(address);
  }
  bool isThere() const noexcept { return address_ != nullptr; }
  Result operator()(Arguments... arguments) const noexcept {
    return isThere() ? address_(arguments...) : kNotFound;
  }

 private:
  Result (*address_)(Arguments...) = nullptr;
};

struct Driver {
#define UCXX_CUDA_MEMBER(name, symbol, version, ...) Function<__VA_ARGS__> name;
  UCXX_CUDA_FUNCTIONS(UCXX_CUDA_MEMBER)
#undef UCXX_CUDA_MEMBER
};

enum class Presence {
  None,  // no library; or the toolkit's stub, which a program is linked with and which does nothing
  TooOld,  // older than CUDA 11.3, which cannot be asked for functions by version
  Usable
};

// From any thread. The first call loads the library, for ever; none calls cuInit, without which
// most functions answer an error. The programs that are installed have them of the library.

UCXX_PUBLIC Presence presence() noexcept;
/// Null unless it is usable.
UCXX_PUBLIC const Driver* driver() noexcept;
/// Why it is not, in a few words; empty if it is.
UCXX_PUBLIC const char* whyNoDriver() noexcept;

/// "ok", or the driver's name of an error ("CUDA_ERROR_NO_DEVICE").
const char* nameOf(Result result) noexcept;
/// The driver's words for an error ("no CUDA-capable device is detected").
UCXX_PUBLIC const char* textOf(Result result) noexcept;

}  // namespace ucxx::base::cuda
