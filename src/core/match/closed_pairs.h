// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <new>

namespace ucxx::core {

/// The endpoints of a link that this side has closed last, by the ids of their pairs: what the peer
/// has sent to them, and nobody can want, may still be on its way. Part of a link.
class ClosedPairs {
 public:
  /// `is_own`: this side chose the id. Out of memory nothing is noted.
  void add(std::uint64_t id, bool is_own) noexcept try {
    if (pairs_.size() == kMost) pairs_.pop_front();
    pairs_.push_back({id, is_own});
  } catch (const std::bad_alloc&) {
  }
  bool has(std::uint64_t id, bool is_own) const noexcept {
    const auto is_it = [&](const Pair& pair) { return pair.id == id && pair.is_own == is_own; };
    return std::any_of(pairs_.begin(), pairs_.end(), is_it);
  }

 private:
  static constexpr std::size_t kMost = 256;
  struct Pair {
    std::uint64_t id;
    bool is_own;
  };
  std::deque<Pair> pairs_;
};

}  // namespace ucxx::core
