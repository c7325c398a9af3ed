// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <shared_mutex>
#include <unordered_map>

namespace ucxx::core {

/// The memory of one context that peers may read and write. Any thread.
class MemoryRegistry {
 public:
  /// Returns its id: random, not 0, and all that a peer needs.
  std::uint64_t add(void* begin, std::size_t size);
  /// Waits for accesses that are going on.
  void remove(std::uint64_t id) noexcept;

  /// Calls `access` with the address of `size` bytes at `offset` of the memory `id`, which stays
  /// while it runs. False: there is no such memory, or not so much of it.
  template <class Access>
  [[nodiscard]] bool reach(std::uint64_t id, std::uint64_t offset, std::size_t size,
                           Access access) const {
    const std::shared_lock lock(mutex_);
    std::byte* const place = find(id, offset, size);
    if (place == nullptr) return false;
    access(place);
    return true;
  }

 private:
  struct Region {
    std::byte* begin;
    std::size_t size;
  };
  std::byte* find(std::uint64_t id, std::uint64_t offset, std::size_t size) const noexcept;

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, Region> regions_;
};

}  // namespace ucxx::core
