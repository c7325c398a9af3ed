// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The types of CUDA's driver, as far as its functions are called here: cuda.h is not needed to
// build. tests/gpu/driver_check.cpp compares both where it is.

#pragma once

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

namespace ucxx::base::cuda {

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
inline constexpr Result kInvalidValue = 1;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNotInitialized = 3;  // cuInit has not been called
inline constexpr Result kDeinitialized = 4;   // the process ends
inline constexpr Result kStubLibrary = 34;
inline constexpr Result kInvalidContext = 201;
inline constexpr Result kInvalidHandle = 400;
inline constexpr Result kNotFound = 500;  // also what a function gives that this driver lacks
inline constexpr Result kNotReady = 600;
inline constexpr Result kContextIsDestroyed = 709;  // or has been reset
inline constexpr Result kNotPermitted = 800;        // in a callback of the driver

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
inline constexpr int kIsCaptured = 1;      // CU_STREAM_CAPTURE_STATUS_ACTIVE
inline constexpr int kBatchNodeType = 12;  // CU_GRAPH_NODE_TYPE_BATCH_MEM_OP

// CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS
inline constexpr int kMemoryOperations64 = 122;

// CUpointer_attribute, CUmemorytype
inline constexpr int kContextOf = 1;
inline constexpr int kMemoryType = 2;
inline constexpr int kBufferId = 7;  // no other allocation of the process ever has it
inline constexpr int kIsManaged = 8;
inline constexpr int kOrdinalOf = 9;
inline constexpr int kHasIpcHandle = 10;    // may have one, by cuIpcGetMemHandle
inline constexpr unsigned kHostMemory = 1;  // page-locked
inline constexpr unsigned kDeviceMemory = 2;

inline Stream legacyStream() { return reinterpret_cast<Stream>(1); }

}  // namespace ucxx::base::cuda
