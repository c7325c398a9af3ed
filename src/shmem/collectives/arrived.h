// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/prefetch.h"
#include "shmem/memory/control.h"

namespace ucxx::shmem {

/// Of more the processor itself asks for lines ahead.
inline constexpr std::size_t kMostAskedFor = 4 << 10;

/// Asks for what other members have written. Their cores have these lines, and the caller is about
/// to read them: a loop of small steps would wait for one after the other, since its next loads
/// are not yet in sight.
inline void askForArrived(const void* dest, std::size_t bytes) noexcept {
  const auto* const first = static_cast<const std::byte*>(dest);
  for (std::size_t i = 0; i < std::min(bytes, kMostAskedFor); i += kLine)
    base::prefetchForRead(first + i);
}

}  // namespace ucxx::shmem
