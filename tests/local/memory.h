// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/shared_memory.h"
#include "local/ring.h"

namespace ucxx::local::test {

/// A ring and its two ends, in one process.
struct Ring {
  explicit Ring(std::size_t line_count)
      : lines(line_count), shared(base::SharedMemory::create(RingMemory::bytesFor(lines))) {}

  RingMemory& control() const { return *reinterpret_cast<RingMemory*>(shared.bytes().data()); }
  std::atomic<std::uint64_t>& flag(std::size_t line) const {
    return RingShape(shared.bytes(), lines).flag(line);
  }

  std::size_t lines;
  base::SharedMemory shared;
  Producer producer{shared.bytes(), lines};
  Consumer consumer{shared.bytes(), lines};
};

/// `size` bytes that differ by record and by place.
inline std::vector<std::byte> content(std::uint64_t number, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>(number * 7 + i + i / 251);
  return bytes;
}

inline bool equal(std::span<const std::byte> one, std::span<const std::byte> other) {
  return std::ranges::equal(one, other);
}

template <class Value>
std::span<const std::byte> bytesOf(const Value& value) {
  return std::as_bytes(std::span(&value, 1));
}

template <class Value>
Value valueOf(std::span<const std::byte> bytes) {
  Value value{};
  if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace ucxx::local::test
