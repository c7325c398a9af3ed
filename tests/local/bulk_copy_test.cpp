// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "local/bulk_copy.h"

#include <algorithm>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::local::test {
namespace {

constexpr std::byte kUntouched{0xee};

std::vector<std::byte> distinct(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
  return bytes;
}

/// Copies `size` bytes between places so far from the begin of a line.
void expectExactCopy(std::size_t size, std::size_t to_offset, std::size_t from_offset) {
  SCOPED_TRACE(testing::Message() << size << " bytes from " << from_offset << " to " << to_offset);
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> lines(size / 64 + 4, Line{});
  const std::span<std::byte> all(lines.front().bytes, lines.size() * 64);
  std::ranges::fill(all, kUntouched);
  const std::vector<std::byte> from = distinct(from_offset + size);

  copyStreaming(all.data() + to_offset, from.data() + from_offset, size);

  const auto copied = all.subspan(to_offset, size);
  EXPECT_TRUE(std::ranges::equal(copied, std::span(from).subspan(from_offset)));
  const auto is_untouched = [](std::byte byte) { return byte == kUntouched; };
  EXPECT_TRUE(std::ranges::all_of(all.first(to_offset), is_untouched));
  EXPECT_TRUE(std::ranges::all_of(all.subspan(to_offset + size), is_untouched));
}

TEST(StreamingCopyTest, EverySizeIsExact) {
  for (std::size_t size = 0; size <= 200; ++size) expectExactCopy(size, 0, 0);
}

TEST(StreamingCopyTest, EveryAlignmentIsExact) {
  for (std::size_t offset = 0; offset < 64; ++offset) {
    for (const std::size_t size : {1, 63, 64, 65, 127, 4096, 4159}) {
      expectExactCopy(size, offset, 0);
      expectExactCopy(size, 0, offset);
      expectExactCopy(size, 63 - offset, offset);
    }
  }
}

}  // namespace
}  // namespace ucxx::local::test
