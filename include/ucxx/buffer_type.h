// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx {

/// What a `Buffer` is made of.
enum class BufferType { Host = 0, CCCL, Invalid };

}  // namespace ucxx
