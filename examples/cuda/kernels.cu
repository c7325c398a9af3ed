// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <cstdio>
#include <cstdlib>

#include <ucxx/cuda/device.h>

#include "kernels.h"

namespace {

__global__ void fill(uint32_t* data, uint32_t count, uint32_t value) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] = value;
}

/// One block for each partition.
__global__ void fillAndReady(uint32_t* left, uint32_t* right, uint32_t count, uint32_t value,
                             ucxx::device::Prepared* left_plan,
                             ucxx::device::Prepared* right_plan) {
  const uint32_t each = count / gridDim.x, first = each * blockIdx.x;
  for (uint32_t i = threadIdx.x; i < each; i += blockDim.x) left[first + i] = value;
  for (uint32_t i = threadIdx.x; i < each; i += blockDim.x) right[first + i] = value + 1;
  __syncthreads();  // all of the block have written
  if (threadIdx.x != 0) return;
  ucxx::device::ready(left_plan, blockIdx.x);
  ucxx::device::ready(right_plan, blockIdx.x);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming, concurrency-mt-unsafe): names of C; one thread
void check_cuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void launch_fill(uint32_t* data, uint32_t count, uint32_t value, cudaStream_t stream) {
  void* arguments[] = {&data, &count, &value};
  check_cuda(cudaLaunchKernel(fill, dim3(2), dim3(32), arguments, 0, stream), "fill");
}

void launch_fill_and_ready(uint32_t* left, uint32_t* right, uint32_t count, uint32_t partitions,
                           uint32_t value, void* left_handle, void* right_handle,
                           cudaStream_t stream) {
  void* arguments[] = {&left, &right, &count, &value, &left_handle, &right_handle};
  check_cuda(cudaLaunchKernel(fillAndReady, dim3(partitions), dim3(16), arguments, 0, stream),
             "fillAndReady");
}
// NOLINTEND(readability-identifier-naming, concurrency-mt-unsafe)
