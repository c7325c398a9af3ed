// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ucxx::core {

/// A bit for each partition of a plan, 64 in a word that any thread changes in one step.
class AtomicBits {
 public:
  explicit AtomicBits(std::size_t count)
      : words_(new Word[(count + kBits - 1) / kBits]()), word_count_((count + kBits - 1) / kBits) {}

  void set(std::size_t first, std::size_t last) noexcept {
    forEachWord(first, last, [](Word& word, std::uint64_t bits, std::size_t) {
      word.fetch_or(bits, std::memory_order_acq_rel);
      return true;
    });
  }

  void reset(std::size_t first, std::size_t last) noexcept {
    forEachWord(first, last, [](Word& word, std::uint64_t bits, std::size_t) {
      word.fetch_and(~bits, std::memory_order_acq_rel);
      return true;
    });
  }

  /// Sets all of them, and returns `last`; or none, and returns the first that somebody had set.
  std::size_t claim(std::size_t first, std::size_t last) noexcept {
    std::size_t taken = last;
    forEachWord(first, last, [&](Word& word, std::uint64_t bits, std::size_t start) {
      const std::uint64_t before = word.fetch_or(bits, std::memory_order_acq_rel);
      if ((before & bits) == 0) return true;
      word.fetch_and(~(bits & ~before), std::memory_order_acq_rel);
      reset(first, std::max(first, start));
      taken = start + static_cast<std::size_t>(std::countr_zero(before & bits));
      return false;
    });
    return taken;
  }

  bool any() const noexcept {
    return std::any_of(words_.get(), words_.get() + word_count_,
                       [](const Word& word) { return word.load(std::memory_order_acquire) != 0; });
  }

  /// Resets those that are set, and calls `use(first, last)` for each row of neighbours.
  template <class Use>
  void takeAll(Use&& use) {
    std::size_t first = 0, last = 0;
    for (std::size_t word = 0; word < word_count_; ++word) {
      if (words_[word].load(std::memory_order_relaxed) == 0) continue;
      std::uint64_t bits = words_[word].exchange(0, std::memory_order_acq_rel);
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t i = word * kBits + static_cast<std::size_t>(std::countr_zero(bits));
        if (i != last && first != last) use(first, last);
        if (i != last) first = i;
        last = i + 1;
      }
    }
    if (first != last) use(first, last);
  }

 private:
  using Word = std::atomic<std::uint64_t>;
  static constexpr std::size_t kBits = 64;

  /// `visit(word, its bits of the range, the number of its lowest bit)`, until one is false.
  template <class Visit>
  void forEachWord(std::size_t first, std::size_t last, Visit&& visit) noexcept {
    for (std::size_t i = first; i < last;) {
      const std::size_t start = i / kBits * kBits, end = std::min(last, start + kBits);
      const std::uint64_t bits = ~std::uint64_t{0} >> (kBits - (end - i)) << (i - start);
      if (!visit(words_[i / kBits], bits, start)) return;
      i = end;
    }
  }

  const std::unique_ptr<Word[]> words_;
  const std::size_t word_count_;
};

}  // namespace ucxx::core
