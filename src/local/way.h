// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ucxx::local {

/// How a payload comes from a process of this machine.
enum class Way : std::uint8_t {
  Cached,     ///< through the bulk ring (bulk_ring.h), by plain stores
  Streaming,  ///< the same, by stores past the caches
  Copied,     ///< announced, and copied by the kernel from memory to memory (core/bulk/copies.h)
};
inline constexpr std::size_t kWays = 3;

/// Payloads of about the same size, of which one way is the fastest: up to 16 KiB, 64 KiB, 256
/// KiB, 1 MiB, 4 MiB, 16 MiB, and above.
inline constexpr unsigned kSizeClasses = 7;
constexpr unsigned sizeClassOf(std::size_t size) noexcept {
  constexpr unsigned kFirstBits = 14;
  const auto bits =
      static_cast<unsigned>(std::bit_width((std::max<std::size_t>(size, 1) - 1) >> kFirstBits));
  return std::min((bits + 1) / 2, kSizeClasses - 1);
}

/// The ways that a receiver wants, one for each size class: a word in shared memory.
struct WantedWays {
  static constexpr unsigned kBits = 2;

  static Way of(std::uint32_t word, unsigned size_class) noexcept {
    const std::uint32_t way = word >> size_class * kBits & 3;
    return way < kWays ? static_cast<Way>(way) : Way::Copied;
  }
  static std::uint32_t with(std::uint32_t word, unsigned size_class, Way way) noexcept {
    const unsigned shift = size_class * kBits;
    return (word & ~(std::uint32_t{3} << shift)) | static_cast<std::uint32_t>(way) << shift;
  }
};

}  // namespace ucxx::local
