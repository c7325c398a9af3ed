// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

// The collective calls on the symmetric heap. Each returns the same on all PEs, as an offset: null
// on one of them is null on all.

namespace ucxx::shmem {

enum class Filled : bool { No, WithZeros };

/// shmem_malloc and its like: `alignment` is a power of two, `bytes` not 0. A barrier at the end.
void* allocate(std::size_t bytes, std::size_t alignment, Filled filled, const char* call) noexcept;
/// shmem_calloc.
void* allocateCleared(std::size_t count, std::size_t size, const char* call) noexcept;
/// shmem_align.
void* allocateAligned(std::size_t alignment, std::size_t bytes, const char* call) noexcept;
/// shmem_realloc.
void* reallocate(void* block, std::size_t bytes, const char* call) noexcept;
/// shmem_free: a barrier at the begin.
void release(void* block, const char* call) noexcept;

/// At init: all of it is free. At the last finalize: the pages go back to the system.
void beginHeap();
void endHeap() noexcept;

}  // namespace ucxx::shmem
