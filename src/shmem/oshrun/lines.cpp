// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/lines.h"

#include <utility>

#include <fmt/format.h>

namespace ucxx::shmem::oshrun {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} * 1024;

}  // namespace

Lines::Lines(int pe) : tag_(fmt::format("[{}] ", pe)) {}

std::string Lines::add(std::string_view bytes) {
  std::string lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, std::min(end, kLongestLine - begun_.size()));
    const bool is_whole = piece.size() == end;
    begun_ += piece;
    bytes.remove_prefix(piece.size() + (is_whole ? 1 : 0));
    if (is_whole || begun_.size() == kLongestLine) lines += tag_ + std::exchange(begun_, {}) + '\n';
  }
  return lines;
}

std::string Lines::finish() {
  return begun_.empty() ? "" : tag_ + std::exchange(begun_, {}) + '\n';
}

}  // namespace ucxx::shmem::oshrun
