// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/crc32c.h"

#include <array>

namespace ucxx::base {
namespace {

constexpr std::uint32_t kReflectedPolynomial = 0x82f63b78;

constexpr std::array<std::uint32_t, 256> makeTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1) ^ ((value & 1) != 0 ? kReflectedPolynomial : 0);
    }
    table[i] = value;
  }
  return table;
}

constexpr auto kTable = makeTable();

}  // namespace

// A table of bytes is enough: hellos are small and rare (16 KiB takes about 40 us, once per peer).
std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept {
  std::uint32_t crc = ~0U;
  for (const std::byte byte : bytes) {
    crc = (crc >> 8) ^ kTable[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xff];
  }
  return ~crc;
}

}  // namespace ucxx::base
