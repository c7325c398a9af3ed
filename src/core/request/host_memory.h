// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

#include <ucxx/buffer.h>
#include <ucxx/pool.h>

namespace ucxx::core {

/// A block of library memory, which local peers map, of any size. Null: there is none.
std::shared_ptr<void> allocateMapped(std::size_t size);

/// A block of library memory, which local peers map. Null: `size` is so small that it goes through
/// rings anyway, or there is no such memory; then it comes from malloc.
std::shared_ptr<void> allocateShared(std::size_t size);

/// The memory of a buffer of the host's, which it keeps.
std::shared_ptr<std::byte> bytesOf(const std::shared_ptr<Buffer>& buffer);

/// To receive a message of `size` bytes into. For one that comes from another machine no memory is
/// taken before its bytes are there, since its sender may claim more than it has: the block is a
/// warm one, or has addresses, and gets each page with the first byte that is written there.
std::shared_ptr<Buffer> makeReceiveBuffer(std::size_t size, bool is_from_far);

/// @name The host's part of the pool, as `poolStats`, `trimPool` and `setPoolLimits`
/// @{
PoolStats hostPoolStats() noexcept;
std::uint64_t trimHostPool() noexcept;
void setHostPoolLimits(const PoolLimits& limits) noexcept;
/// @}

}  // namespace ucxx::core
