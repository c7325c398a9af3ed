// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ucxx::shmem {

/// Which parts of the symmetric heap are taken. The book alone: it touches no memory, and lies in
/// memory of the process. Since all PEs make the same calls in the same order, each keeps a book of
/// its own, and all books are equal. Not for two threads at once.
class Heap {
 public:
  /// Blocks begin and end at cache lines.
  static constexpr std::size_t kLeastAlignment = 64;

  Heap() = default;
  explicit Heap(std::size_t bytes);

  /// The offset of a new block: of the smallest free part that has room; of several, the lowest.
  /// `alignment` is a power of two, `bytes` not 0. The block ends at `last_end` or before. Nothing:
  /// there is no room.
  std::optional<std::size_t> take(std::size_t bytes, std::size_t alignment, std::size_t last_end);
  void giveBack(std::size_t offset);
  /// Makes a block longer or shorter where it is; false: there is no room behind it.
  bool resize(std::size_t offset, std::size_t bytes);
  /// Of the block that begins there; nothing: none does.
  std::optional<std::size_t> bytesAt(std::size_t offset) const;

  std::size_t freeBytes() const noexcept { return free_bytes_; }

 private:
  using Parts = std::map<std::size_t, std::size_t>;  // by offset: bytes

  void addFree(std::size_t offset, std::size_t bytes);
  void removeFree(Parts::iterator part);

  Parts taken_, free_;
  std::set<std::pair<std::size_t, std::size_t>> by_size_;  // the free ones: bytes, offset
  std::size_t free_bytes_ = 0;
};

}  // namespace ucxx::shmem
