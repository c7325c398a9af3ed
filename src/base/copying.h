// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <ucxx/export.h>

namespace ucxx::base {

/// Told of copies of payloads before they are made, in the thread that makes them: Python lets its
/// other threads run meanwhile. One for the process; null: nobody.
using BeforeCopy = void (*)(std::size_t bytes) noexcept;
extern UCXX_PUBLIC std::atomic<BeforeCopy> before_copy;

/// Copies of less are not worth a call.
inline constexpr std::size_t kLeastToldCopy = 4 << 10;

inline void aboutToCopy(std::size_t bytes) noexcept {
  if (bytes < kLeastToldCopy) return;
  if (const BeforeCopy tell = before_copy.load(std::memory_order_relaxed)) tell(bytes);
}

/// Most of what is small has the size of a word, which costs no call.
[[gnu::always_inline]] inline void copyBytes(void* to, const void* from,
                                             std::size_t size) noexcept {
  if (size == sizeof(std::uint64_t)) [[likely]]
    std::memcpy(to, from, sizeof(std::uint64_t));
  else if (size != 0)
    std::memcpy(to, from, size);
}

}  // namespace ucxx::base
