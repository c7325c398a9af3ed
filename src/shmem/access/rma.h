// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "shmem/access/copy.h"
#include "shmem/access/hot.h"
#include "shmem/memory/locate.h"
#include "shmem/waiting/waiting.h"

// Puts and gets. PEs are numbers of the job. `call` is the function that the program has called.
// With SHMEM_DEBUG what is wrong ends the program with a message.

namespace ucxx::shmem {

/// With SHMEM_DEBUG: neither is null, and they do not overlap.
[[gnu::cold]] void checkTransfer(const void* dest, const void* source, std::size_t bytes, int pe,
                                 const char* call) noexcept;

template <class T>
UCXX_SHMEM_HOT void putValue(T* dest, T value, int pe, const char* call) noexcept {
  const Place there = locate(dest, sizeof(T), pe, call);
  storeWhole(there.address, value);
  wakeIfAsleep(there.control.for_accesses);
}

template <class T>
UCXX_SHMEM_HOT T getValue(const T* source, int pe, const char* call) noexcept {
  return loadWhole<T>(locate(source, sizeof(T), pe, call).address);
}

/// @name As `put` and `get`, of any address; they check their arguments
/// @{
[[gnu::cold, gnu::noinline]] void putSlowly(void* dest, const void* source, std::size_t bytes,
                                            int pe, const char* call) noexcept;
[[gnu::cold, gnu::noinline]] void getSlowly(void* dest, const void* source, std::size_t bytes,
                                            int pe, const char* call) noexcept;
/// @}

// The slow way goes on elsewhere, and does not come back: the fast one saves no registers for it.
UCXX_SHMEM_HOT void put(void* dest, const void* source, std::size_t bytes, int pe,
                        const char* call) noexcept {
  if (!isNear(dest)) [[unlikely]]
    return putSlowly(dest, source, bytes, pe, call);
  if (bytes == 0) return;
  const Place there = locate(dest, bytes, pe, call);
  copy(there.address, source, bytes);
  wakeIfAsleep(there.control.for_accesses);
}

UCXX_SHMEM_HOT void get(void* dest, const void* source, std::size_t bytes, int pe,
                        const char* call) noexcept {
  if (!isNear(source)) [[unlikely]]
    return getSlowly(dest, source, bytes, pe, call);
  copy(dest, locate(source, bytes, pe, call).address, bytes);
}

/// Blocks of elements, of which the first ones are so many bytes apart. `iput` is the case of
/// blocks of one element.
struct Blocks {
  std::size_t bytes;  ///< of each
  std::size_t count;
  std::ptrdiff_t to_stride, from_stride;
};

/// With SHMEM_DEBUG: strides are at least a block.
void checkBlocks(const Blocks& blocks, const char* call) noexcept;

/// The bytes from the first to the last one on the side with that stride.
inline std::size_t extentOf(const Blocks& blocks, std::ptrdiff_t stride) noexcept {
  return (blocks.count - 1) * static_cast<std::size_t>(stride) + blocks.bytes;
}

void copyBlocks(std::byte* to, const std::byte* from, const Blocks& blocks) noexcept;

void putBlocks(void* dest, const void* source, const Blocks& blocks, int pe,
               const char* call) noexcept;
void getBlocks(void* dest, const void* source, const Blocks& blocks, int pe,
               const char* call) noexcept;

}  // namespace ucxx::shmem
