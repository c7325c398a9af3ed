// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// cuGetProcAddress: which form of a function a program gets that is of that version of CUDA.

#include <cstdio>
#include <cstring>

#include <dlfcn.h>

#include "cuda/driver/options.h"
#include "cuda/driver/types.h"

namespace stand_in {
namespace {

struct Row {
  const char* name;
  int since;           // the version of CUDA in which it has this form
  const char* symbol;  // null: a form that is not stood in for
};
constexpr Row kFunctions[]{
    {"cuInit", 2000, "cuInit"},
    {"cuDriverGetVersion", 2020, "cuDriverGetVersion"},
    {"cuGetErrorName", 6000, "cuGetErrorName"},
    {"cuGetErrorString", 6000, "cuGetErrorString"},
    {"cuGetProcAddress", 11030, "cuGetProcAddress"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    {"cuDeviceGetCount", 2000, "cuDeviceGetCount"},
    {"cuDeviceGet", 2000, "cuDeviceGet"},
    {"cuDeviceGetName", 2000, "cuDeviceGetName"},
    {"cuDeviceGetAttribute", 2000, "cuDeviceGetAttribute"},
    {"cuDevicePrimaryCtxRetain", 7000, "cuDevicePrimaryCtxRetain"},
    {"cuDevicePrimaryCtxGetState", 7000, "cuDevicePrimaryCtxGetState"},
    {"cuDevicePrimaryCtxReset", 7000, nullptr},
    {"cuDevicePrimaryCtxReset", 11000, "cuDevicePrimaryCtxReset_v2"},
    {"cuCtxCreate", 2000, nullptr},
    {"cuCtxCreate", 3020, "cuCtxCreate_v2"},
    {"cuCtxCreate", 11040, nullptr},
    {"cuCtxDestroy", 2000, nullptr},
    {"cuCtxDestroy", 4000, "cuCtxDestroy_v2"},
    {"cuCtxGetId", 12000, "cuCtxGetId"},
    {"cuCtxSetCurrent", 4000, "cuCtxSetCurrent"},
    {"cuCtxGetCurrent", 4000, "cuCtxGetCurrent"},
    {"cuCtxPushCurrent", 4000, "cuCtxPushCurrent_v2"},
    {"cuCtxPopCurrent", 4000, "cuCtxPopCurrent_v2"},
    {"cuCtxGetDevice", 2000, "cuCtxGetDevice"},
    {"cuCtxGetDevice", 13000, nullptr},
    {"cuCtxGetStreamPriorityRange", 5050, "cuCtxGetStreamPriorityRange"},
    {"cuCtxSynchronize", 2000, "cuCtxSynchronize"},
    {"cuCtxSynchronize", 13000, nullptr},
    {"cuFlushGPUDirectRDMAWrites", 11030, "cuFlushGPUDirectRDMAWrites"},
    {"cuMemAlloc", 3020, "cuMemAlloc_v2"},
    {"cuMemFree", 3020, "cuMemFree_v2"},
    {"cuMemAllocManaged", 6000, "cuMemAllocManaged"},
    {"cuMemAllocAsync", 11020, "cuMemAllocAsync"},
    {"cuMemFreeAsync", 11020, "cuMemFreeAsync"},
    {"cuMemHostAlloc", 2020, "cuMemHostAlloc"},
    {"cuMemFreeHost", 2000, "cuMemFreeHost"},
    {"cuMemHostRegister", 6050, "cuMemHostRegister_v2"},
    {"cuMemHostUnregister", 4000, "cuMemHostUnregister"},
    {"cuMemHostGetDevicePointer", 3020, "cuMemHostGetDevicePointer_v2"},
    {"cuPointerGetAttribute", 4000, "cuPointerGetAttribute"},
    {"cuPointerGetAttributes", 7000, "cuPointerGetAttributes"},
    {"cuMemGetAddressRange", 3020, "cuMemGetAddressRange_v2"},
    {"cuMemcpyAsync", 4000, "cuMemcpyAsync"},
    {"cuMemcpyHtoD", 3020, "cuMemcpyHtoD_v2"},
    {"cuMemcpyDtoH", 3020, "cuMemcpyDtoH_v2"},
    {"cuMemcpyDtoD", 3020, "cuMemcpyDtoD_v2"},
    {"cuMemcpyHtoDAsync", 3020, "cuMemcpyHtoDAsync_v2"},
    {"cuMemcpyDtoHAsync", 3020, "cuMemcpyDtoHAsync_v2"},
    {"cuMemcpyDtoDAsync", 3020, "cuMemcpyDtoDAsync_v2"},
    {"cuMemsetD8", 3020, "cuMemsetD8_v2"},
    {"cuMemsetD8Async", 3020, "cuMemsetD8Async"},
    {"cuIpcGetMemHandle", 4010, "cuIpcGetMemHandle"},
    {"cuIpcOpenMemHandle", 11000, "cuIpcOpenMemHandle_v2"},
    {"cuIpcCloseMemHandle", 4010, "cuIpcCloseMemHandle"},
    {"cuStreamCreate", 2000, "cuStreamCreate"},
    {"cuStreamCreateWithPriority", 5050, "cuStreamCreateWithPriority"},
    {"cuStreamDestroy", 4000, "cuStreamDestroy_v2"},
    {"cuStreamQuery", 2000, "cuStreamQuery"},
    {"cuStreamSynchronize", 2000, "cuStreamSynchronize"},
    {"cuStreamGetId", 12000, "cuStreamGetId"},
    {"cuStreamGetCtx", 9020, "cuStreamGetCtx"},
    {"cuStreamGetCtx", 12050, nullptr},
    {"cuStreamWaitEvent", 3020, "cuStreamWaitEvent"},
    {"cuEventCreate", 2000, "cuEventCreate"},
    {"cuEventDestroy", 4000, "cuEventDestroy_v2"},
    {"cuEventRecord", 2000, "cuEventRecord"},
    {"cuEventQuery", 2000, "cuEventQuery"},
    {"cuEventSynchronize", 2000, "cuEventSynchronize"},
    {"cuLaunchHostFunc", 10000, "cuLaunchHostFunc"},
    {"cuStreamWriteValue32", 8000, "cuStreamWriteValue32"},
    {"cuStreamWriteValue32", 11070, "cuStreamWriteValue32_v2"},
    {"cuStreamWaitValue32", 8000, "cuStreamWaitValue32"},
    {"cuStreamWaitValue32", 11070, "cuStreamWaitValue32_v2"},
    {"cuStreamWriteValue64", 9000, "cuStreamWriteValue64"},
    {"cuStreamWriteValue64", 11070, "cuStreamWriteValue64_v2"},
    {"cuStreamWaitValue64", 9000, "cuStreamWaitValue64"},
    {"cuStreamWaitValue64", 11070, "cuStreamWaitValue64_v2"},
    {"cuStreamBatchMemOp", 8000, "cuStreamBatchMemOp"},
    {"cuStreamBatchMemOp", 11070, "cuStreamBatchMemOp_v2"},
    {"cuStreamBeginCapture", 10010, "cuStreamBeginCapture_v2"},
    {"cuStreamEndCapture", 10000, "cuStreamEndCapture"},
    {"cuStreamIsCapturing", 10000, "cuStreamIsCapturing"},
    {"cuStreamGetCaptureInfo", 10010, nullptr},
    {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
    {"cuStreamUpdateCaptureDependencies", 11030, nullptr},
    {"cuStreamUpdateCaptureDependencies", 12030, "cuStreamUpdateCaptureDependencies_v2"},
    {"cuThreadExchangeStreamCaptureMode", 10010, "cuThreadExchangeStreamCaptureMode"},
    {"cuGraphCreate", 10000, "cuGraphCreate"},
    {"cuGraphDestroy", 10000, "cuGraphDestroy"},
    {"cuGraphGetNodes", 10000, "cuGraphGetNodes"},
    {"cuGraphNodeGetType", 10000, "cuGraphNodeGetType"},
    {"cuGraphDestroyNode", 10000, "cuGraphDestroyNode"},
    {"cuGraphAddNode", 12020, "cuGraphAddNode"},
    {"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
    {"cuGraphAddBatchMemOpNode", 11070, "cuGraphAddBatchMemOpNode"},
    {"cuGraphBatchMemOpNodeGetParams", 11070, "cuGraphBatchMemOpNodeGetParams"},
    {"cuGraphExecBatchMemOpNodeSetParams", 11070, "cuGraphExecBatchMemOpNodeSetParams"},
    {"cuGraphAddKernelNode", 10000, nullptr},
    {"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2"},
    {"cuGraphAddHostNode", 10000, "cuGraphAddHostNode"},
    {"cuGraphAddEmptyNode", 10000, "cuGraphAddEmptyNode"},
    {"cuGraphAddDependencies", 10000, "cuGraphAddDependencies"},
    {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
    {"cuGraphConditionalHandleCreate", 12030, "cuGraphConditionalHandleCreate"},
    {"cuGraphInstantiateWithFlags", 11040, "cuGraphInstantiateWithFlags"},
    {"cuGraphLaunch", 10000, "cuGraphLaunch"},
    {"cuGraphExecDestroy", 10000, "cuGraphExecDestroy"},
    {"cuUserObjectCreate", 11030, "cuUserObjectCreate"},
    {"cuUserObjectRelease", 11030, "cuUserObjectRelease"},
    {"cuGraphRetainUserObject", 11030, "cuGraphRetainUserObject"},
    {"cuModuleLoadData", 2000, "cuModuleLoadData"},
    {"cuModuleUnload", 2000, "cuModuleUnload"},
    {"cuModuleGetFunction", 2000, "cuModuleGetFunction"},
    {"cuLaunchKernel", 4000, "cuLaunchKernel"},
};

constexpr std::uint64_t kThreadStreams = 2;  // a null stream is the thread's

// CUdriverProcAddressQueryResult
constexpr int kFound = 0, kNoSymbol = 1, kTooOld = 2;

/// This library exports it.
void* addressOf(const Row& row) {
  Dl_info self{};
  ::dladdr(kFunctions, &self);
  static void* const library = ::dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return ::dlsym(library, row.symbol);
}

/// The newest form that is not newer than the version; says whether there is any.
const Row* find(const char* name, int version, bool& is_known) {
  const Row* newest = nullptr;
  for (const Row& row : kFunctions) {
    if (std::strcmp(row.name, name) != 0) continue;
    is_known = true;
    if (row.since <= version && (newest == nullptr || newest->since < row.since)) newest = &row;
  }
  return newest;
}

Result look(const char* name, void** function, int version, std::uint64_t flags, int* found) {
  if (name == nullptr || function == nullptr) return kInvalidValue;
  *function = nullptr;
  // A null stream of theirs is the legacy one.
  if (version > options().version || (flags & kThreadStreams) != 0) return kInvalidValue;
  bool is_known = false;
  const Row* const row = find(name, version, is_known);
  if (found != nullptr) *found = row != nullptr ? kFound : is_known ? kTooOld : kNoSymbol;
  if (row == nullptr) return found != nullptr ? kSuccess : kNotFound;
  if (row->symbol == nullptr) {
    std::fprintf(stderr, "CUDA stand-in: it has no %s of CUDA %d\n", name, row->since);
    return kNotFound;
  }
  *function = addressOf(*row);
  return kSuccess;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuGetProcAddress_v2(const char* name, void** function, int version,
                                         std::uint64_t flags, int* found) {
  return look(name, function, version, flags, found);
}

/// Of CUDA 11.3.
UCXX_CUDA_API Result cuGetProcAddress(const char* name, void** function, int version,
                                      std::uint64_t flags) {
  return look(name, function, version, flags, nullptr);
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
