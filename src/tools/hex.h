// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace ucxx::tools {

/// Bytes as text, for the addresses of workers in what processes tell each other.
inline std::string toHex(std::string_view bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

inline std::string fromHex(const std::string& text) {
  std::string bytes(text.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    unsigned char byte = 0;
    std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, byte, 16);
    bytes[i] = static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace ucxx::tools
