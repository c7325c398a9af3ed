// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

namespace ucxx::local {

/// Copies to memory that another core will read, and has read before: where it pays (see
/// `choices::kLeastStreamed`), past the caches. A plain store waits until the other core has given
/// its copy of the line up, and only few can wait at once. What is stored behind it is seen
/// behind it.
void copyForOthers(std::byte* to, const std::byte* from, std::size_t size) noexcept;

}  // namespace ucxx::local
