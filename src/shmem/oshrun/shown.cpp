// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/shown.h"

#include <algorithm>

#include <fmt/format.h>

namespace ucxx::shmem::oshrun {
namespace {

constexpr std::size_t kMostBytes = 200;

bool isControl(unsigned char byte) { return byte < ' ' || byte == 0x7f; }

/// Whether it is the second or a later byte of a character (UTF-8).
bool isWithinCharacter(unsigned char byte) { return (byte & 0xc0) == 0x80; }

std::string_view cut(std::string_view word) {
  if (word.size() <= kMostBytes) return word;
  std::size_t length = kMostBytes;
  while (length > 0 && isWithinCharacter(static_cast<unsigned char>(word[length]))) --length;
  return word.substr(0, length);
}

/// Of what has control characters, nothing is taken for text beyond ASCII.
std::string escaped(std::string_view word) {
  std::string text;
  for (const unsigned char byte : word) {
    if (isControl(byte) || byte > 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += static_cast<char>(byte);
    }
  }
  return text;
}

}  // namespace

std::string shown(std::string_view word) {
  const std::string_view begin = cut(word);
  const bool has_control = std::any_of(begin.begin(), begin.end(), isControl);
  const bool needs_quotes = word.empty() || has_control || begin.find(' ') != begin.npos;
  std::string text = has_control ? escaped(begin) : std::string(begin);
  if (needs_quotes) text = '\'' + text + '\'';
  return begin.size() == word.size() ? text : text + "...";
}

}  // namespace ucxx::shmem::oshrun
