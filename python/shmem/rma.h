// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "arrays.h"
#include "handles.h"

// Copies to and from PEs.

namespace ucxx::python::shmem {

/// shmem_ctx_putmem and its like.
using MoveBytes = void (*)(shmem_ctx_t, void*, const void*, std::size_t, int);

/// Copies of so many bytes and more let Python's other threads run.
inline constexpr std::size_t kLongCopy = 64 << 10;

/// The elements of both stand in the same order, without gaps.
bool areFlat(const Array& target, const Array& source) noexcept;

inline void moveFlat(MoveBytes move, const Array& target, const Array& source, std::ptrdiff_t count,
                     Remote remote) {
  const auto bytes = static_cast<std::size_t>(count * target.item_bytes);
  if (bytes < kLongCopy) [[likely]]
    return move(remote.ctx, target.data, source.data, bytes, remote.pe);
  const WithoutGil others_run;
  move(remote.ctx, target.data, source.data, bytes, remote.pe);
}

}  // namespace ucxx::python::shmem
