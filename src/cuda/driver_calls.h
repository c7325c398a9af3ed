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

/// Throws `InvalidParamError`: the calling thread has no context of CUDA.
[[noreturn]] void throwNoContext(const char* what);

}  // namespace ucxx::cuda
