// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/memory/node.h"

namespace ucxx::shmem {

/// Each access takes the slow path, which checks its arguments.
inline void closeFastPath() noexcept { node.fast_heap = node.fast_statics = 0; }

/// A thread sanitizer knows the statics of the local PE at the program's address, and at no other.
inline void openFastPath() noexcept {
  node.fast_heap = node.heap_bytes;
#if !defined(__SANITIZE_THREAD__)
  node.fast_statics = node.statics_bytes;
#endif
}

}  // namespace ucxx::shmem
