// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>

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

}  // namespace ucxx::base
