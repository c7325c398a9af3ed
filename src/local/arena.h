// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "base/shared_memory.h"

namespace ucxx::local {

struct MemoryTable;

/// Library memory: blocks that this process receives into and sends from, and that its local peers
/// map, so that they copy with plain loads and stores where the kernel refuses to copy or does it
/// slowly. One for the process, since it has one address in all of its channels.
///
/// A sparse memfd: a block gets its pages, all of them, when it is taken, and may keep them when it
/// is free, for the next who takes one of its size; without them, it is one with what is free
/// beside it. Any thread. A forked child shares the pages; it takes and frees nothing.
class Arena {
 public:
  /// Addresses are taken for all of an arena, in each peer too.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 30;

  /// Made when it is first asked for, never destroyed. Null: it cannot be made now, or this is a
  /// forked child.
  static Arena* get() noexcept;
  /// That one, if it has been made.
  static Arena* existing() noexcept;

  /// False: the process may use only so many addresses (RLIMIT_AS), and needs them for other
  /// things.
  static bool mayReserve() noexcept;

  /// Another one, for blocks of `bytes`; free ones keep their pages up to `most_idle` bytes.
  /// Throws.
  Arena(std::size_t bytes, std::size_t most_idle);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Begins at a page. Null: there is no room, or no memory.
  void* allocate(std::size_t size) noexcept;
  /// A block that was allocated with this size.
  void free(void* block, std::size_t size) noexcept;

  /// Its first bytes: what of the process's memory its peers may reach. Null: no memory for it.
  MemoryTable* table() noexcept;
  bool contains(const void* begin, std::size_t size) const noexcept;
  std::span<std::byte> bytes() const noexcept { return memory_.bytes(); }
  struct Stats {
    std::uint64_t used_bytes, idle_bytes, most_idle_bytes;
    std::uint64_t taken, reused;  // blocks so far; the warm ones among them
  };
  Stats stats() noexcept;
  /// To hand out.
  int descriptor() const noexcept { return memory_.descriptor(); }

 private:
  void* place(std::size_t offset) const noexcept { return bytes().data() + offset; }
  std::size_t takeWarm(std::size_t block_bytes);
  void countTaken(std::size_t block_bytes) noexcept;
  std::size_t takeGap(std::size_t block_bytes);
  std::size_t findGap(std::size_t block_bytes);
  void addGap(std::size_t offset, std::size_t bytes);
  void putBack(std::size_t offset, std::size_t block_bytes);
  void cool(std::size_t room);
  void cool(std::vector<std::size_t>& blocks, std::size_t block_bytes, std::size_t room);

  base::SharedMemory memory_;
  const std::size_t most_idle_;

  std::mutex mutex_;                                      // of what follows
  bool has_table_ = false;                                // its pages
  std::map<std::size_t, std::vector<std::size_t>> warm_;  // free, with pages: offsets, by size
  std::map<std::size_t, std::size_t> gaps_;               // free, without: size by offset
  std::size_t idle_ = 0;                                  // bytes of warm blocks
  std::size_t used_ = 0;                                  // ... and of those that are taken
  std::uint64_t taken_ = 0, reused_ = 0;                  // blocks
};

}  // namespace ucxx::local
