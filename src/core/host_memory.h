// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

namespace ucxx::core {

/// A block of library memory, which local peers map. Null: `size` is so small that it goes through
/// rings anyway, or there is no such memory; then it comes from malloc.
std::shared_ptr<void> allocateShared(std::size_t size);

}  // namespace ucxx::core
