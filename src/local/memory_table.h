// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ucxx::local {

/// Which memory of a process its local peers may reach by themselves: a table at the start of its
/// library memory (arena.h), which the peers map. An entry names the memory that has it by a random
/// id; once that memory is given up the entry is another's, or free: its id is 0.
struct MemoryTable {
  static constexpr std::size_t kEntries = 2048;
  struct Entry {
    std::atomic<std::uint64_t> id;
    std::atomic<std::uint64_t> base;  // in the process
    std::atomic<std::uint64_t> size;
    std::uint64_t reserved;
  };
  static constexpr std::size_t kBytes = kEntries * sizeof(Entry);

  Entry entries[kEntries];

  /// @name Of this process. Any thread
  /// @{
  /// An entry for the memory `id`, which is not 0. None: there is no library memory, or no entry
  /// left.
  static std::optional<std::uint32_t> enter(std::uint64_t id, const void* base,
                                            std::size_t size) noexcept;
  static void leave(std::uint32_t entry) noexcept;
  /// Null: there is no library memory.
  static const Entry* own(std::uint32_t entry) noexcept;
  /// @}
};
static_assert(sizeof(MemoryTable) == MemoryTable::kBytes);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace ucxx::local
