// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

namespace ucxx::sim {

/// SplitMix64: every choice of a schedule comes from one of these, so that its seed tells all.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t value = state_ += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
  }
  /// 0 to count - 1; `count` is not 0.
  std::size_t below(std::size_t count) noexcept { return next() % count; }
  bool chance(unsigned percent) noexcept { return below(100) < percent; }
  template <class List>
  auto& pick(List& list) noexcept {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace ucxx::sim
