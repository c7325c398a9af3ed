// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx {

/// What a `Buffer` is made of: memory of the host, or of a CUDA device (`RMM` is an older name).
enum class BufferType { Host = 0, CCCL, RMM = CCCL, Invalid };

}  // namespace ucxx
