// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ucxx::fuzz {

/// The input without its first byte. Where that is odd, `seal` makes the text's head right (magic,
/// length, checksum), or nothing behind the checksum would ever be reached.
template <class Seal>
std::string sealedText(const std::uint8_t* data, std::size_t size, const Seal& seal) {
  if (size == 0) return {};
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) seal(text);
  return text;
}

}  // namespace ucxx::fuzz
