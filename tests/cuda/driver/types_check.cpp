// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Our types and numbers are CUDA's own: compiled where cuda.h is, never run. Those of gpu/driver.h
// are compared in gpu/driver_check.cpp.

#include <cuda.h>

#include "cuda/driver/attributes.h"
#include "cuda/driver/modules.h"

namespace stand_in {

static_assert(sizeof(KernelNode) == sizeof(CUDA_KERNEL_NODE_PARAMS));
static_assert(offsetof(KernelNode, blocks) == offsetof(CUDA_KERNEL_NODE_PARAMS, gridDimX));
static_assert(offsetof(KernelNode, arguments) == offsetof(CUDA_KERNEL_NODE_PARAMS, kernelParams));
static_assert(offsetof(KernelNode, context) == offsetof(CUDA_KERNEL_NODE_PARAMS, ctx));
static_assert(sizeof(CUgraphNodeParams) == 256 && offsetof(CUgraphNodeParams, kernel) == 16 &&
              offsetof(CUgraphNodeParams, host) == 16 && offsetof(CUgraphNodeParams, memOp) == 16);
static_assert(offsetof(CUDA_HOST_NODE_PARAMS, userData) == 8);

static_assert(
    kInvalidValue == CUDA_ERROR_INVALID_VALUE && kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY &&
    kNotInitialized == CUDA_ERROR_NOT_INITIALIZED && kNoDevice == CUDA_ERROR_NO_DEVICE &&
    kInvalidDevice == CUDA_ERROR_INVALID_DEVICE && kInvalidImage == CUDA_ERROR_INVALID_IMAGE &&
    kInvalidContext == CUDA_ERROR_INVALID_CONTEXT && kInvalidHandle == CUDA_ERROR_INVALID_HANDLE &&
    kIllegalState == CUDA_ERROR_ILLEGAL_STATE && kNotFound == CUDA_ERROR_NOT_FOUND &&
    kNotReady == CUDA_ERROR_NOT_READY && kIllegalAddress == CUDA_ERROR_ILLEGAL_ADDRESS &&
    kOutOfResources == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES &&
    kContextIsDestroyed == CUDA_ERROR_CONTEXT_IS_DESTROYED &&
    kAlreadyRegistered == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED &&
    kNotRegistered == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED &&
    kNotPermitted == CUDA_ERROR_NOT_PERMITTED && kNotSupported == CUDA_ERROR_NOT_SUPPORTED);
static_assert(kCaptureUnsupported == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
              kCaptureInvalidated == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED &&
              kCaptureUnjoined == CUDA_ERROR_STREAM_CAPTURE_UNJOINED &&
              kCaptureIsolation == CUDA_ERROR_STREAM_CAPTURE_ISOLATION &&
              kCaptureImplicit == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT &&
              kCapturedEvent == CUDA_ERROR_CAPTURED_EVENT &&
              kWrongThread == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
static_assert(kFirstMemoryOperations == CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 &&
              kFlushInStreams == CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES &&
              kHostRegistration == CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED &&
              kSameHostAddress == CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM &&
              kPools == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED &&
              kFlushOptions == CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS &&
              kLongMemoryOperations == CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS &&
              kWaitForNor == CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR);

}  // namespace stand_in
