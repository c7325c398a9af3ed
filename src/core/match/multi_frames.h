// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ucxx::core {

/// Frames up to this size travel together, behind the table; larger ones each by an announcement of
/// its own, so that they land where they belong without another copy.
inline constexpr std::size_t kPackedFrameBytes = 8 << 10;
inline constexpr std::size_t kPackedTotalBytes = 512 << 10;

/// For the table and what is packed behind it: library memory, if it is large. Throws
/// `std::bad_alloc`.
std::shared_ptr<void> allocatePacked(std::size_t size);

/// By which a frame that is not packed is known.
constexpr std::uint64_t frameKey(std::uint32_t sequence, std::size_t index) noexcept {
  return std::uint64_t{sequence} << 32 | index;
}
constexpr std::uint32_t sequenceOf(std::uint64_t frame_key) noexcept {
  return static_cast<std::uint32_t>(frame_key >> 32);
}

}  // namespace ucxx::core
