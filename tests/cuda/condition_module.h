// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The kernels of gpu/condition_kernels.h, as the driver knows them. Each program has a source that
// loads them: the stand-in's has functions by their names, that of a GPU a file that nvcc has made.

#pragma once

#include "base/cuda_driver.h"

namespace ucxx::cuda::test {

/// A word of a kernel; CUDA's 64 bits are of this type.
using KernelWord = unsigned long long;

/// Finds all of them in the module, which the first call loads, and runs each once in `stream`:
/// what is loaded, found or launched for the first time later would wait for every stream that
/// waits, and end a capture.
void warmConditionKernels(base::cuda::Stream stream);

/// One of them, after `warmConditionKernels`.
base::cuda::Kernel conditionKernel(const char* name);

/// Loads the module; one of two sources has it.
base::cuda::Module loadConditionModule();

}  // namespace ucxx::cuda::test
