// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/cuda_driver.h"

namespace ucxx::cuda {

using base::cuda::Address;
using base::cuda::Context;
using base::cuda::Driver;
using base::cuda::MemoryOperation;
using base::cuda::Result;

/// Throws `UnsupportedError` where there is no driver that can be used.
const Driver& requireDriver(const char* what);

/// Throws unless `result` is success: `InvalidParamError` for what the caller has given,
/// `UnsupportedError` for a function that the driver lacks, else `Error`. "what: cuStreamGetId:
/// CUDA_ERROR_INVALID_HANDLE (invalid resource handle)".
void check(Result result, const char* call, const char* what);

/// What has happened, and what to do, where the words of conditions are page-locked no more.
inline constexpr const char* kWordsGone =
    "what was page-locked for conditions is gone, and all streams with it: cudaDeviceReset was "
    "called, or the context was destroyed that UCXX had attached to; a process that uses "
    "conditions "
    "of streams, graphs or kernels must not do so: leave it out, or start another process";

/// Throws `InvalidParamError`: the calling thread has no context of CUDA.
[[noreturn]] void throwNoContext(const char* what);

}  // namespace ucxx::cuda
