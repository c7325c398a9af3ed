// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shmem/access/hot.h"
#include "shmem/access/words.h"

namespace ucxx::shmem {

/// From so many bytes on, `copyMuch` copies. All, where ThreadSanitizer is to see that each word is
/// copied whole: a thread may wait for one of them.
#if defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kMuch = 1;
#else
inline constexpr std::size_t kMuch = 2048;
#endif

/// As memcpy, for much: by the way that is fastest for these addresses and so many bytes.
[[gnu::noinline]] void copyMuch(void* to, const void* from, std::size_t bytes) noexcept;

template <class T>
UCXX_SHMEM_HOT bool isAligned(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(T) == 0;
}

/// One word, which others may read at the same time, is copied whole.
template <class T>
UCXX_SHMEM_HOT bool copiedAsWord(void* to, const void* from, std::size_t bytes) noexcept {
  if (bytes != sizeof(T) || !isAligned<T>(to) || !isAligned<T>(from)) return false;
  storeWhole(to, loadWhole<T>(from));
  return true;
}

/// Symmetric memory of a PE is one side, or both.
UCXX_SHMEM_HOT void copy(void* to, const void* from, std::size_t bytes) noexcept {
  if (copiedAsWord<std::uint64_t>(to, from, bytes)) return;
  if (copiedAsWord<std::uint32_t>(to, from, bytes)) return;
  if (bytes >= kMuch) return copyMuch(to, from, bytes);
  if (bytes != 0) std::memcpy(to, from, bytes);
}

}  // namespace ucxx::shmem
