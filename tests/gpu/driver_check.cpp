// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The types of src/base/cuda_types.h are CUDA's own: compiled where cuda.h is, never run.

#include <cuda.h>

#include "gpu/driver.h"

static_assert(sizeof(gpu::MemoryOperation) == sizeof(CUstreamBatchMemOpParams));
static_assert(offsetof(gpu::MemoryOperation, address) ==
              offsetof(CUstreamBatchMemOpParams, writeValue.address));
static_assert(offsetof(gpu::MemoryOperation, value) ==
              offsetof(CUstreamBatchMemOpParams, waitValue.value64));
static_assert(offsetof(gpu::MemoryOperation, flags) ==
              offsetof(CUstreamBatchMemOpParams, waitValue.flags));
static_assert(sizeof(gpu::BatchNode) == sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS));
static_assert(offsetof(gpu::BatchNode, operations) ==
              offsetof(CUDA_BATCH_MEM_OP_NODE_PARAMS, paramArray));
static_assert(sizeof(gpu::ConditionalNode) == sizeof(CUgraphNodeParams));
static_assert(offsetof(gpu::ConditionalNode, handle) ==
              offsetof(CUgraphNodeParams, conditional.handle));
static_assert(offsetof(gpu::ConditionalNode, kind) ==
              offsetof(CUgraphNodeParams, conditional.type));
static_assert(offsetof(gpu::ConditionalNode, bodies) ==
              offsetof(CUgraphNodeParams, conditional.phGraph_out));
static_assert(offsetof(gpu::ConditionalNode, context) ==
              offsetof(CUgraphNodeParams, conditional.ctx));
static_assert(gpu::ConditionalNode().type == CU_GRAPH_NODE_TYPE_CONDITIONAL);
static_assert(sizeof(gpu::IpcHandle) == sizeof(CUipcMemHandle));
static_assert(gpu::kWait64 == CU_STREAM_MEM_OP_WAIT_VALUE_64 &&
              gpu::kWrite64 == CU_STREAM_MEM_OP_WRITE_VALUE_64 &&
              gpu::kWait32 == CU_STREAM_MEM_OP_WAIT_VALUE_32 &&
              gpu::kWrite32 == CU_STREAM_MEM_OP_WRITE_VALUE_32 &&
              gpu::kFlush == CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES &&
              gpu::kBarrier == CU_STREAM_MEM_OP_BARRIER);
static_assert(gpu::kGreaterOrEqual == CU_STREAM_WAIT_VALUE_GEQ &&
              gpu::kEqual == CU_STREAM_WAIT_VALUE_EQ && gpu::kAnd == CU_STREAM_WAIT_VALUE_AND &&
              gpu::kNor == CU_STREAM_WAIT_VALUE_NOR &&
              gpu::kThenFlush == CU_STREAM_WAIT_VALUE_FLUSH &&
              gpu::kNoBarrier == CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER);
static_assert(gpu::kPortable == CU_MEMHOSTREGISTER_PORTABLE &&
              gpu::kDeviceMap == CU_MEMHOSTREGISTER_DEVICEMAP &&
              gpu::kReadOnly == CU_MEMHOSTREGISTER_READ_ONLY);
static_assert(gpu::kNonBlocking == CU_STREAM_NON_BLOCKING &&
              gpu::kRelaxedCapture == CU_STREAM_CAPTURE_MODE_RELAXED &&
              gpu::kGlobalCapture == CU_STREAM_CAPTURE_MODE_GLOBAL &&
              gpu::kBatchNodeType == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
static_assert(gpu::kContextOf == CU_POINTER_ATTRIBUTE_CONTEXT &&
              gpu::kMemoryType == CU_POINTER_ATTRIBUTE_MEMORY_TYPE &&
              gpu::kBufferId == CU_POINTER_ATTRIBUTE_BUFFER_ID &&
              gpu::kIsManaged == CU_POINTER_ATTRIBUTE_IS_MANAGED &&
              gpu::kOrdinalOf == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL &&
              gpu::kHasIpcHandle == CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE &&
              gpu::kHostMemory == CU_MEMORYTYPE_HOST && gpu::kDeviceMemory == CU_MEMORYTYPE_DEVICE);
static_assert(gpu::kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY &&
              gpu::kNotPermitted == CUDA_ERROR_NOT_PERMITTED);
static_assert(gpu::kStubLibrary == CUDA_ERROR_STUB_LIBRARY &&
              gpu::kNotInitialized == CUDA_ERROR_NOT_INITIALIZED &&
              gpu::kDeinitialized == CUDA_ERROR_DEINITIALIZED &&
              gpu::kContextIsDestroyed == CUDA_ERROR_CONTEXT_IS_DESTROYED);
static_assert(gpu::kNotReady == CUDA_ERROR_NOT_READY && gpu::kNotFound == CUDA_ERROR_NOT_FOUND);
