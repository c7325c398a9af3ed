// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace ucxx::core {

/// The memory that peers may read and write. Any thread.
class MemoryRegistry {
 public:
  /// Returns its id: random, and not 0. What it is found by is the name of the key with this id,
  /// `begin` and `size` (MemoryKey).
  std::uint64_t add(const void* begin, std::size_t size);
  /// Waits for accesses that are going on; no more begin.
  void remove(std::uint64_t name) noexcept;

  /// Calls `access` with the address of `size` bytes at `offset` of the memory `name`, which stays
  /// while it runs; it throws nothing. False: there is no such memory, or not so much of it.
  template <class Access>
  [[nodiscard]] bool reach(std::uint64_t name, std::uint64_t offset, std::size_t size,
                           Access access) {
    Region* const region = enter(name, offset, size);
    if (region == nullptr) return false;
    access(region->begin + offset);
    leave(*region);
    return true;
  }

 private:
  struct Region {
    std::byte* begin;
    std::size_t size;
    std::size_t users = 0;
  };
  Region* enter(std::uint64_t name, std::uint64_t offset, std::size_t size) noexcept;
  void leave(Region& region) noexcept;

  std::mutex mutex_;
  std::condition_variable left_;
  std::unordered_map<std::uint64_t, Region> regions_;
};

/// That of this process: whatever the context, local peers reach all of its memory anyway.
MemoryRegistry& ownMemory() noexcept;

}  // namespace ucxx::core
