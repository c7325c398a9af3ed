// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda_runtime.h"

#include <cstdint>
#include <cstdio>

#include "cuda/runtime/driver_calls.h"

namespace ucxx_runtime {
namespace {

constexpr int kMemoryTypeAttribute = 2;
constexpr unsigned kOnDevice = 2;  // CU_MEMORYTYPE_DEVICE

thread_local cudaError_t last_error = cudaSuccess;

Address addressOf(const void* pointer) { return reinterpret_cast<Address>(pointer); }

/// What is copied by `cudaMemcpyDefault`. Memory that the driver does not know is the host's.
bool isOnDevice(const void* pointer) {
  unsigned type = 0;
  return cuPointerGetAttribute(&type, kMemoryTypeAttribute, addressOf(pointer)) == 0 &&
         type == kOnDevice;
}

cudaMemcpyKind kindOf(const void* to, const void* from, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDefault) return kind;
  if (isOnDevice(to)) return isOnDevice(from) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return isOnDevice(from) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

/// The driver copies page-locked memory of the host as it copies a device's.
Result copy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
            cudaStream_t stream) {
  switch (kindOf(to, from, kind)) {
    case cudaMemcpyHostToDevice:
      return cuMemcpyHtoDAsync_v2(addressOf(to), from, size, stream);
    case cudaMemcpyDeviceToHost:
      return cuMemcpyDtoHAsync_v2(to, addressOf(from), size, stream);
    default:
      return cuMemcpyDtoDAsync_v2(addressOf(to), addressOf(from), size, stream);
  }
}

}  // namespace

/// The first call makes device 0 the thread's, as CUDA's runtime does.
Result useDevice() {
  static Context context = nullptr;
  static const Result retained = [] {
    const Result result = cuInit(0);
    return result != 0 ? result : cuDevicePrimaryCtxRetain(&context, 0);
  }();
  if (retained != 0) return retained;
  Context current = nullptr;
  const Result result = cuCtxGetCurrent(&current);
  return result != 0 || current != nullptr ? result : cuCtxSetCurrent(context);
}

cudaError_t told(Result result) {
  const auto error = static_cast<cudaError_t>(result);
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

}  // namespace ucxx_runtime

using namespace ucxx_runtime;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): CUDA's names
cudaError_t cudaPeekAtLastError() { return last_error; }
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
const char* cudaGetErrorString(cudaError_t error) {
  const char* text = nullptr;
  return cuGetErrorString(error, &text) == 0 ? text : "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t error) {
  const char* name = nullptr;
  return cuGetErrorName(error, &name) == 0 ? name : "unrecognized error code";
}

cudaError_t cudaGetDeviceCount(int* count) {
  return inDevice([&] { return cuDeviceGetCount(count); });
}
cudaError_t cudaGetDevice(int* device) {
  return inDevice([&] { return cuCtxGetDevice(device); });
}
cudaError_t cudaSetDevice(int device) {
  return inDevice([&] { return device == 0 ? Result{0} : Result{cudaErrorInvalidDevice}; });
}
cudaError_t cudaDeviceSynchronize() {
  return inDevice([] { return cuCtxSynchronize(); });
}

cudaError_t cudaMalloc(void** address, std::size_t size) {
  return inDevice([&] { return cuMemAlloc_v2(reinterpret_cast<Address*>(address), size); });
}
cudaError_t cudaFree(void* address) {
  return inDevice([&] { return address == nullptr ? 0 : cuMemFree_v2(addressOf(address)); });
}
cudaError_t cudaMallocHost(void** pointer, std::size_t size) {
  return cudaHostAlloc(pointer, size, cudaHostAllocDefault);
}
cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return inDevice([&] { return cuMemHostAlloc(pointer, size, flags); });
}
cudaError_t cudaFreeHost(void* pointer) {
  return inDevice([&] { return pointer == nullptr ? 0 : cuMemFreeHost(pointer); });
}
cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned flags) {
  return inDevice([&] { return cuMemHostRegister_v2(pointer, size, flags); });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return inDevice([&] { return cuMemHostUnregister(pointer); });
}
cudaError_t cudaHostGetDevicePointer(void** address, void* pointer, unsigned flags) {
  return inDevice([&] {
    return cuMemHostGetDevicePointer_v2(reinterpret_cast<Address*>(address), pointer, flags);
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpyAsync(to, from, size, kind, nullptr);
  return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return inDevice([&] { return copy(to, from, size, kind, stream); });
}
cudaError_t cudaMemset(void* to, int byte, std::size_t size) {
  const cudaError_t error = cudaMemsetAsync(to, byte, size, nullptr);
  return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}
cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t size, cudaStream_t stream) {
  return inDevice([&] {
    return cuMemsetD8Async(addressOf(to), static_cast<unsigned char>(byte), size, stream);
  });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return inDevice([&] { return cuStreamCreate(stream, flags); });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return inDevice([&] { return cuStreamDestroy_v2(stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return inDevice([&] { return cuStreamQuery(stream); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return inDevice([&] { return cuStreamSynchronize(stream); });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return inDevice([&] { return cuStreamWaitEvent(stream, event, flags); });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return inDevice([&] { return cuLaunchHostFunc(stream, function, data); });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return inDevice([&] { return cuEventCreate(event, flags); });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return inDevice([&] { return cuEventDestroy_v2(event); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return inDevice([&] { return cuEventRecord(event, stream); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return inDevice([&] { return cuEventQuery(event); });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return inDevice([&] { return cuEventSynchronize(event); });
}
// NOLINTEND(readability-identifier-naming)
