/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders
 *
 * Launches of the kernels in kernels.cu, for C. */
#ifndef UCXX_EXAMPLES_KERNELS_H
#define UCXX_EXAMPLES_KERNELS_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ends the process with 1 unless it is cudaSuccess. */
void check_cuda(cudaError_t error, const char* what);

/* Writes `value` into all words of `data`. */
void launch_fill(uint32_t* data, uint32_t count, uint32_t value, cudaStream_t stream);

/* Fills both buffers, and makes each of their partitions ready as soon as it is full. The handles
 * are of prepared sends. */
void launch_fill_and_ready(uint32_t* left, uint32_t* right, uint32_t count, uint32_t partitions,
                           uint32_t value, void* left_handle, void* right_handle,
                           cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
