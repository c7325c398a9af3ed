// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

// Copies from or to memory that another core has touched. A plain store waits until that core has
// given up its copy of the line, and only few wait at once: a store past the caches does not wait.
// A load of what another core has written waits for the third-level cache or that core: so lines
// are asked for some time before they are read.

namespace ucxx::local {

/// Asks for lines before it reads them; stores as `memcpy` does.
void copyPrefetching(std::byte* to, const std::byte* from, std::size_t size) noexcept;

/// The same, and stores past the caches, if the machine can. A release store behind it publishes
/// the bytes, as behind `memcpy`.
void copyStreaming(std::byte* to, const std::byte* from, std::size_t size) noexcept;

/// Whether that is faster for records of a ring that the second-level cache holds, from
/// `choices::kLeastStreamed` bytes on: with cores of AMD. Others were not measured; change this to
/// try yours.
bool isStreamingFaster() noexcept;

}  // namespace ucxx::local
