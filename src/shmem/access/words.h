// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "shmem/access/hot.h"

// Words that PEs share are read and written whole: by compiler built-ins, never by inline assembly,
// next to which GCC 12.2 mis-compiles a switch over them.

namespace ucxx::shmem {

/// The unsigned integer of so many bytes; void: there is none.
template <std::size_t Bytes>
using Word = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t,
                                          std::conditional_t<Bytes == 8, std::uint64_t, void>>>>;

template <class T>
inline constexpr bool kIsWord = !std::is_void_v<Word<sizeof(T)>>;

/// With release, so that it is ordered after what this thread has stored before.
template <class T>
UCXX_SHMEM_HOT void storeWhole(void* to, T value) noexcept {
  if constexpr (kIsWord<T>) {
    Word<sizeof(T)> bits;
    std::memcpy(&bits, &value, sizeof bits);
    __atomic_store_n(static_cast<Word<sizeof(T)>*>(to), bits, __ATOMIC_RELEASE);
  } else {
    std::memcpy(to, &value, sizeof value);
  }
}

template <class T>
UCXX_SHMEM_HOT T loadWhole(const void* from) noexcept {
  T value;
  if constexpr (kIsWord<T>) {
    const Word<sizeof(T)> bits =
        __atomic_load_n(static_cast<const Word<sizeof(T)>*>(from), __ATOMIC_ACQUIRE);
    std::memcpy(&value, &bits, sizeof bits);
  } else {
    std::memcpy(&value, from, sizeof value);
  }
  return value;
}

}  // namespace ucxx::shmem
