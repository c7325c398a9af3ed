// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/list.h"

namespace ucxx::local {

/// Which parts of library memory are free: warm ones, which have pages, and cold ones, which have
/// none. Neighbours of one kind are one part. The book alone: it touches no memory, and has neither
/// a lock nor a limit. Sizes and offsets are whole pages.
class FreeSpace {
 public:
  struct Part {
    std::size_t offset, bytes;
  };
  /// What was taken: its first `warm_bytes` have pages.
  struct Place {
    std::size_t offset, warm_bytes;
  };

  /// All of it cold.
  explicit FreeSpace(Part part) : cold_{{part.offset, part.bytes}} {}

  /// Takes so many bytes: of the smallest warm part that has them; else of a warm part that has at
  /// least half of them, and of what is cold behind it; else of the first cold part that has them.
  std::optional<Place> take(std::size_t bytes) noexcept;
  /// Takes at most so many bytes, all of them warm, from the end of the part that has rested
  /// longest.
  std::optional<Part> takeOldest(std::size_t at_most) noexcept;
  /// Throw `std::bad_alloc`; then the part is not in the book.
  void addWarm(Part part);
  void addCold(Part part);
  std::size_t warmBytes() const noexcept { return warm_bytes_; }

 private:
  struct Warm {
    std::size_t offset, bytes;
    base::ListNode by_age{};
  };
  using WarmParts = std::map<std::size_t, Warm>;
  using ColdParts = std::map<std::size_t, std::size_t>;

  std::optional<Place> takeWarm(std::size_t bytes) noexcept;
  std::optional<Place> takeHalfWarm(std::size_t bytes) noexcept;
  std::optional<Place> takeCold(std::size_t bytes) noexcept;
  /// The part that ends there, or none.
  WarmParts::iterator warmUpTo(std::size_t end) noexcept;
  void insertWarm(Part part);
  void moveWarm(WarmParts::iterator part, Part to) noexcept;
  void removeWarm(WarmParts::iterator part) noexcept;
  void cutCold(ColdParts::iterator part, std::size_t bytes) noexcept;

  WarmParts warm_;                                         // by offset
  std::set<std::pair<std::size_t, std::size_t>> by_size_;  // of those: size, offset
  base::List<Warm, &Warm::by_age> by_age_;                 // ... the oldest first
  ColdParts cold_;                                         // by offset: size
  std::size_t warm_bytes_ = 0;
};

}  // namespace ucxx::local
