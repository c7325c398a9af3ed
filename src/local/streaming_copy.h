// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

// To memory that another core reads, and has read before. A plain store waits until that core has
// given up its copy of the line, and only few wait at once; a store past the caches does not wait.

namespace ucxx::local {

/// Past the caches, if the machine can. A release store behind it publishes the bytes, as behind
/// `memcpy`.
void copyStreaming(std::byte* to, const std::byte* from, std::size_t size) noexcept;

/// Whether that is faster here, from `choices::kLeastStreamed` bytes on: with cores of AMD. Others
/// were not measured; change this to try yours.
bool isStreamingFaster() noexcept;

}  // namespace ucxx::local
