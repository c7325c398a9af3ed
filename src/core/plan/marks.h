// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ucxx::core {

/// A word for each partition of a plan, which says how far it has come. Others write them, perhaps
/// other processes: a word is compared, and nothing else is made of it. Any thread.
class Marks {
 public:
  using Word = std::atomic<std::uint64_t>;
  static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(std::uint64_t));

  Marks(Word* words, std::size_t count) noexcept : words_(words), count_(count) {}

  Word& operator[](std::size_t i) const noexcept { return words_[i]; }
  std::size_t count() const noexcept { return count_; }
  /// Each of them is `value`, which they never are again once they are another one. What has been
  /// seen is not looked at again.
  bool allAre(std::uint64_t value) const noexcept {
    if (count_ == 1) return words_[0].load(std::memory_order_acquire) == value;
    const std::uint64_t seen = seen_.load(std::memory_order_acquire);
    const std::size_t first = seen >> 32 == (value & UINT32_MAX) ? seen & UINT32_MAX : 0;
    std::size_t next = first;
    while (next < count_ && words_[next].load(std::memory_order_acquire) == value) ++next;
    if (next != first) seen_.store(value << 32 | next, std::memory_order_release);
    return next == count_;
  }
  bool areAll(std::size_t first, std::size_t last, std::uint64_t value) const noexcept {
    while (first < last && words_[first].load(std::memory_order_acquire) == value) ++first;
    return first >= last;
  }
  void set(std::size_t first, std::size_t last, std::uint64_t value) const noexcept {
    for (; first < last; ++first) words_[first].store(value, std::memory_order_release);
  }

 private:
  Word* const words_;
  const std::size_t count_;
  mutable std::atomic<std::uint64_t> seen_{0};  // the lower half of a value, and how many have it
};

}  // namespace ucxx::core
