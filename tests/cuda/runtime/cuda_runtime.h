/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Stands in for the header of CUDA's runtime where no CUDA is, over the stand-in for its driver
 * (../driver/README.md): what the examples use of it, for C and C++. Each function is a thin call
 * of the driver's. Types, names and numbers are CUDA's.
 *
 * A kernel is a function of the program, compiled by its own compiler: as in CUDA it is launched by
 * `cudaLaunchKernel`, from C++ alone, which takes the types of its arguments from the function. All
 * of its threads run at the same time, and are at most 256. The first launch of each kernel loads
 * a module, which waits for all streams, as CUDA's does.
 */
#ifndef UCXX_TESTS_CUDA_RUNTIME_H
#define UCXX_TESTS_CUDA_RUNTIME_H

#include <stddef.h>

#ifdef __cplusplus
#include <utility>
#endif

/* 12080: cudaGraphAddDependencies without data of edges, as before CUDA 13. */
#ifndef CUDART_VERSION
#define CUDART_VERSION 13000
#endif

#define __host__
#define __device__
#define __global__

/* NOLINTBEGIN: CUDA's names, and C */
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef void (*cudaHostFn_t)(void* data);

/* The driver's numbers, of which there are more. */
typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorNotPermitted = 800,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
} cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};

#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventDisableTiming 2
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2

struct dim3 {
  unsigned x, y, z;
#ifdef __cplusplus
  dim3(unsigned x_size = 1, unsigned y_size = 1, unsigned z_size = 1)
      : x(x_size), y(y_size), z(z_size) {}
#endif
};
typedef struct dim3 dim3;

typedef struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};
struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};

#ifdef __cplusplus
#define UCXX_RUNTIME_DEFAULT(value) = value
extern "C" {
#else
#define UCXX_RUNTIME_DEFAULT(value)
#endif

/* The error that the calling thread was told of last; the first one also forgets it. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceSynchronize(void);

/* As in CUDA, the last two also take `T**` in C++, below. */
cudaError_t cudaMalloc(void** address, size_t size);
cudaError_t cudaFree(void* address);
cudaError_t cudaMallocHost(void** pointer, size_t size);
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** address, void* pointer, unsigned flags);

/* From the host to the host: page-locked memory alone. */
cudaError_t cudaMemcpy(void* to, const void* from, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream UCXX_RUNTIME_DEFAULT(0));
cudaError_t cudaMemset(void* to, int byte, size_t size);
cudaError_t cudaMemsetAsync(void* to, int byte, size_t size,
                            cudaStream_t stream UCXX_RUNTIME_DEFAULT(0));

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags UCXX_RUNTIME_DEFAULT(0));
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream UCXX_RUNTIME_DEFAULT(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, size_t count);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, size_t count,
                                 const struct cudaHostNodeParams* parameters);
/* Here the kernel has to have been launched once by cudaLaunchKernel, which tells what its
 * arguments are: cudaErrorInvalidDeviceFunction otherwise. */
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const struct cudaKernelNodeParams* parameters);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t count);
#if CUDART_VERSION >= 13000
#define cudaGraphAddDependencies cudaGraphAddDependencies_v2
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count);
#endif
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags UCXX_RUNTIME_DEFAULT(0));
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);

#ifdef __cplusplus
}

namespace ucxx_runtime {

/* How the function of a kernel is called with what is at `arguments`. */
typedef void (*Body)(void* function, void** arguments);
struct Kernel {
  void* function;
  Body body;
  const size_t* sizes;  // of its arguments
  size_t count;
};
cudaError_t launch(const Kernel& kernel, dim3 blocks, dim3 threads, void** arguments,
                   size_t shared_bytes, cudaStream_t stream);

template <class... Arguments, size_t... Index>
void call(void (*function)(Arguments...), void** arguments, std::index_sequence<Index...>) {
  (void)arguments;  // there may be none
  function(*static_cast<Arguments*>(arguments[Index])...);
}
template <class... Arguments>
void bodyOf(void* function, void** arguments) {
  call(reinterpret_cast<void (*)(Arguments...)>(function), arguments,
       std::index_sequence_for<Arguments...>());
}

/* In a kernel, of the calling thread. */
unsigned threadIndex();
unsigned blockIndex();
unsigned threadCount();
unsigned blockCount();
void syncThreads();
void fence();
inline unsigned zero() { return 0; }
inline unsigned one() { return 1; }

template <unsigned (*get)()>
struct Word {
  operator unsigned() const { return get(); }
};
/* Only one dimension is stood in for. */
template <unsigned (*get_x)(), unsigned (*get_others)()>
struct Words {
  Word<get_x> x;
  Word<get_others> y, z;
};

}  // namespace ucxx_runtime

template <class... Arguments>
cudaError_t cudaLaunchKernel(void (*function)(Arguments...), dim3 blocks, dim3 threads,
                             void** arguments, size_t shared_bytes = 0, cudaStream_t stream = 0) {
  static const size_t sizes[sizeof...(Arguments) + 1] = {sizeof(Arguments)..., 0};
  const ucxx_runtime::Kernel kernel = {reinterpret_cast<void*>(function),
                                       ucxx_runtime::bodyOf<Arguments...>, sizes,
                                       sizeof...(Arguments)};
  return ucxx_runtime::launch(kernel, blocks, threads, arguments, shared_bytes, stream);
}

template <class T>
cudaError_t cudaMalloc(T** address, size_t size) {
  return ::cudaMalloc(reinterpret_cast<void**>(address), size);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** address, void* pointer, unsigned flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(address), pointer, flags);
}

inline constexpr ucxx_runtime::Words<ucxx_runtime::threadIndex, ucxx_runtime::zero> threadIdx{};
inline constexpr ucxx_runtime::Words<ucxx_runtime::blockIndex, ucxx_runtime::zero> blockIdx{};
inline constexpr ucxx_runtime::Words<ucxx_runtime::threadCount, ucxx_runtime::one> blockDim{};
inline constexpr ucxx_runtime::Words<ucxx_runtime::blockCount, ucxx_runtime::one> gridDim{};
inline void __syncthreads() { ucxx_runtime::syncThreads(); }
inline void __threadfence() { ucxx_runtime::fence(); }
inline void __threadfence_system() { ucxx_runtime::fence(); }
#endif
/* NOLINTEND */

#endif
