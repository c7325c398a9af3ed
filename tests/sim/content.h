// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace ucxx::sim {

/// Bytes that tell whose they are: word k of message `id`, beginning with the id itself.
inline std::uint64_t wordOf(std::uint64_t id, std::size_t k) noexcept {
  return id + k * 0x9e3779b97f4a7c15u;
}

inline void fill(std::span<std::byte> bytes, std::uint64_t id, std::size_t first = 0) noexcept {
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    const std::uint64_t word = wordOf(id, first + at / 8);
    std::memcpy(bytes.data() + at, &word, std::min<std::size_t>(8, bytes.size() - at));
  }
}

/// From word `first` of the message on.
inline bool holds(std::span<const std::byte> bytes, std::uint64_t id,
                  std::size_t first = 0) noexcept {
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    const std::uint64_t word = wordOf(id, first + at / 8);
    if (std::memcmp(bytes.data() + at, &word, std::min<std::size_t>(8, bytes.size() - at)) != 0)
      return false;
  }
  return true;
}

inline std::uint64_t idIn(std::span<const std::byte> bytes) noexcept {
  std::uint64_t id = 0;
  if (bytes.size() >= sizeof id) std::memcpy(&id, bytes.data(), sizeof id);
  return id;
}

/// Byte `offset` of the stream of endpoint `uid`.
inline std::byte streamByte(std::uint64_t uid, std::uint64_t offset) noexcept {
  return static_cast<std::byte>((uid * 151 + offset * 7 + (offset >> 8) * 13) & 0xff);
}

inline constexpr std::byte kUntouched{0xcc};
inline constexpr std::byte kScribble{0xdd};
inline constexpr std::size_t kGuardBytes = 16;

/// Tells whether bytes have changed.
inline std::uint64_t sumOf(std::span<const std::byte> bytes) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    sum += word * (at + 1);
  }
  return sum;
}

/// Room for `length` bytes and, behind them, some that nobody may write.
inline std::vector<std::byte> guarded(std::size_t length) {
  return std::vector<std::byte>(length + kGuardBytes, kUntouched);
}
inline bool isUntouched(std::span<const std::byte> bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == kUntouched; });
}

}  // namespace ucxx::sim
