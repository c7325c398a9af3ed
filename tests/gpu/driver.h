// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The driver of CUDA, found at run time, and its types as far as the facts need them: cuda.h is not
// needed to build. driver_check.cpp compares both where it is.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

struct CUctx_st;
struct CUstream_st;
struct CUevent_st;
struct CUmod_st;
struct CUfunc_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct CUgraphNode_st;
struct CUuserObject_st;

namespace gpu {

using Result = int;  // CUresult; 0: success
using Address = unsigned long long;
using Context = CUctx_st*;
using Stream = CUstream_st*;
using Event = CUevent_st*;
using Module = CUmod_st*;
using Kernel = CUfunc_st*;
using Graph = CUgraph_st*;
using Exec = CUgraphExec_st*;
using Node = CUgraphNode_st*;
using UserObject = CUuserObject_st*;

inline constexpr Result kSuccess = 0;
inline constexpr Result kNotFound = 500;  // also what a function gives that this driver lacks
inline constexpr Result kNotReady = 600;

// CUstreamBatchMemOpType, CUstreamWaitValue_flags, CUstreamWriteValue_flags
inline constexpr int kWait32 = 1, kWrite32 = 2, kFlush = 3;
inline constexpr int kWait64 = 4, kWrite64 = 5, kBarrier = 6;
inline constexpr unsigned kGreaterOrEqual = 0;
inline constexpr unsigned kEqual = 1;
inline constexpr unsigned kAnd = 2;
inline constexpr unsigned kNor = 3;
inline constexpr unsigned kThenFlush = 1u << 30;
inline constexpr unsigned kNoBarrier = 1;

/// CUstreamBatchMemOpParams
struct MemoryOperation {
  int operation = 0;
  Address address = 0;
  std::uint64_t value = 0;
  unsigned flags = 0;
  Address alias = 0;
  std::uint64_t unused = 0;
};
static_assert(sizeof(MemoryOperation) == 48 && offsetof(MemoryOperation, address) == 8 &&
              offsetof(MemoryOperation, value) == 16 && offsetof(MemoryOperation, flags) == 24);

/// CUDA_BATCH_MEM_OP_NODE_PARAMS
struct BatchNode {
  Context context = nullptr;
  unsigned count = 0;
  MemoryOperation* operations = nullptr;
  unsigned flags = 0;
};

/// CUgraphNodeParams of a conditional node
struct ConditionalNode {
  int type = 13;  // CU_GRAPH_NODE_TYPE_CONDITIONAL
  int reserved[3] = {};
  unsigned long long handle = 0;
  int kind = 0;  // CU_GRAPH_COND_TYPE_IF
  unsigned size = 1;
  Graph* bodies = nullptr;  // written by the driver
  Context context = nullptr;
  char rest[208] = {};
};
static_assert(sizeof(ConditionalNode) == 256);

struct IpcHandle {
  char bytes[64];
};

// cuMemHostRegister
inline constexpr unsigned kPortable = 1;
inline constexpr unsigned kDeviceMap = 2;
inline constexpr unsigned kReadOnly = 8;

inline constexpr unsigned kNonBlocking = 1;  // of a stream
inline constexpr int kGlobalCapture = 0;
inline constexpr int kRelaxedCapture = 2;
inline constexpr int kBatchNodeType = 12;  // CU_GRAPH_NODE_TYPE_BATCH_MEM_OP

inline Stream legacyStream() { return reinterpret_cast<Stream>(1); }

/// name here, name there, the version of the driver in which it has this form, signature
#define UCXX_GPU_FUNCTIONS(X)                                                                      \
  X(init, cuInit, 2000, Result(unsigned))                                                          \
  X(driverVersion, cuDriverGetVersion, 2020, Result(int*))                                         \
  X(errorName, cuGetErrorName, 6000, Result(Result, const char**))                                 \
  X(deviceCount, cuDeviceGetCount, 2000, Result(int*))                                             \
  X(device, cuDeviceGet, 2000, Result(int*, int))                                                  \
  X(deviceName, cuDeviceGetName, 2000, Result(char*, int, int))                                    \
  X(deviceAttribute, cuDeviceGetAttribute, 2000, Result(int*, int, int))                           \
  X(retainContext, cuDevicePrimaryCtxRetain, 7000, Result(Context*, int))                          \
  X(setContext, cuCtxSetCurrent, 4000, Result(Context))                                            \
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
  X(allocateAsync, cuMemAllocAsync, 11020, Result(Address*, std::size_t, Stream))                  \
  X(freeAsync, cuMemFreeAsync, 11020, Result(Address, Stream))                                     \
  X(pointerAttribute, cuPointerGetAttribute, 4000, Result(void*, int, Address))                    \
  X(pointerAttributes, cuPointerGetAttributes, 7000, Result(unsigned, int*, void**, Address))      \
  X(createStream, cuStreamCreate, 2000, Result(Stream*, unsigned))                                 \
  X(destroyStream, cuStreamDestroy, 4000, Result(Stream))                                          \
  X(queryStream, cuStreamQuery, 2000, Result(Stream))                                              \
  X(synchronizeStream, cuStreamSynchronize, 2000, Result(Stream))                                  \
  X(streamId, cuStreamGetId, 12000, Result(Stream, unsigned long long*))                           \
  X(writeValue64, cuStreamWriteValue64, 11070, Result(Stream, Address, std::uint64_t, unsigned))   \
  X(waitValue64, cuStreamWaitValue64, 11070, Result(Stream, Address, std::uint64_t, unsigned))     \
  X(writeValue32, cuStreamWriteValue32, 11070, Result(Stream, Address, std::uint32_t, unsigned))   \
  X(waitValue32, cuStreamWaitValue32, 11070, Result(Stream, Address, std::uint32_t, unsigned))     \
  X(batch, cuStreamBatchMemOp, 11070, Result(Stream, unsigned, MemoryOperation*, unsigned))        \
  X(createEvent, cuEventCreate, 2000, Result(Event*, unsigned))                                    \
  X(recordEvent, cuEventRecord, 2000, Result(Event, Stream))                                       \
  X(queryEvent, cuEventQuery, 2000, Result(Event))                                                 \
  X(loadModule, cuModuleLoadData, 2000, Result(Module*, const void*))                              \
  X(unloadModule, cuModuleUnload, 2000, Result(Module))                                            \
  X(getFunction, cuModuleGetFunction, 2000, Result(Kernel*, Module, const char*))                  \
  X(launch, cuLaunchKernel, 4000,                                                                  \
    Result(Kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,   \
           void**, void**))                                                                        \
  X(launchHost, cuLaunchHostFunc, 10000, Result(Stream, void (*)(void*), void*))                   \
  X(beginCapture, cuStreamBeginCapture, 10010, Result(Stream, int))                                \
  X(endCapture, cuStreamEndCapture, 10000, Result(Stream, Graph*))                                 \
  X(createGraph, cuGraphCreate, 10000, Result(Graph*, unsigned))                                   \
  X(destroyGraph, cuGraphDestroy, 10000, Result(Graph))                                            \
  X(graphNodes, cuGraphGetNodes, 10000, Result(Graph, Node*, std::size_t*))                        \
  X(nodeType, cuGraphNodeGetType, 10000, Result(Node, int*))                                       \
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
  X(createConditional, cuGraphConditionalHandleCreate, 12030,                                      \
    Result(unsigned long long*, Graph, Context, unsigned, unsigned))                               \
  X(addNode, cuGraphAddNode, 12030,                                                                \
    Result(Node*, Graph, const Node*, const void*, std::size_t, void*))                            \
  X(flushWrites, cuFlushGPUDirectRDMAWrites, 11030, Result(int, int))                              \
  X(ipcHandle, cuIpcGetMemHandle, 4010, Result(IpcHandle*, Address))                               \
  X(ipcOpen, cuIpcOpenMemHandle, 11000, Result(Address*, IpcHandle, unsigned))                     \
  X(ipcClose, cuIpcCloseMemHandle, 4010, Result(Address))

/// The function of the driver that was called last and has not come back; null: none. For who
/// tells where something hangs.
inline std::atomic<const char*> called{nullptr};

/// A function of the driver; one that is not there answers `kNotFound`.
template <class Signature>
class Function;
template <class... Arguments>
class Function<Result(Arguments...)> {
 public:
  void set(const char* symbol, void* address) {
    symbol_ = symbol;
    address_ = reinterpret_cast<Result (*)(Arguments...)>(address);
  }
  bool isThere() const noexcept { return address_ != nullptr; }
  Result operator()(Arguments... arguments) const {
    if (!isThere()) return kNotFound;
    called.store(symbol_, std::memory_order_relaxed);
    const Result result = address_(arguments...);
    called.store(nullptr, std::memory_order_relaxed);
    return result;
  }

 private:
  const char* symbol_ = nullptr;
  Result (*address_)(Arguments...) = nullptr;
};

/// All functions, by cuGetProcAddress with the version named: its names without suffix give the
/// first, other forms of the memory operations.
struct Driver {
#define UCXX_GPU_MEMBER(name, symbol, version, ...) Function<__VA_ARGS__> name;
  UCXX_GPU_FUNCTIONS(UCXX_GPU_MEMBER)
#undef UCXX_GPU_MEMBER
};

/// The driver. The first call loads it, and ends the process with 77 where there is none.
const Driver& driver();

/// What dlsym has under a name.
void* exported(const char* name);

/// "ok", or the driver's name of an error.
const char* nameOf(Result result);

}  // namespace gpu
