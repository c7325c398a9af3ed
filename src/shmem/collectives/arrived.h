// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/prefetch.h"
#include "shmem/memory/control.h"

namespace ucxx::shmem {

/// Of more the processor itself asks for lines ahead.
inline constexpr std::size_t kMostAskedFor = 4 << 10;

/// Asks for what other members have written. Their cores have these lines, and the caller is about
/// to read them: a loop of small steps would wait for one line after the other, since its next
/// loads are not yet in sight.
inline void askForArrived(const void* dest, std::size_t bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(dest);
  const std::uintptr_t end = begin + std::min(bytes, kMostAskedFor);
  for (std::uintptr_t line = begin / kLine * kLine; line < end; line += kLine)
    base::prefetchForRead(reinterpret_cast<const void*>(line));
}

}  // namespace ucxx::shmem
