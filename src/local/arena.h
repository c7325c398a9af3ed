// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "base/clock.h"
#include "base/memory_budget.h"
#include "base/shared_memory.h"
#include "base/timer_descriptor.h"
#include "local/free_space.h"

namespace ucxx::local {

struct MemoryTable;

/// Library memory: blocks that this process receives into and sends from, and that its local peers
/// map, so that they copy with plain loads and stores where the kernel refuses to copy or does it
/// slowly. One for the process, since it has one address in all of its channels.
///
/// A sparse memfd: a block has the pages of its size. A free block keeps them for the next one, of
/// any size (free_space.h), but not for ever: what no block has needed for `kRest` is idle, and is
/// given back by `giveBackUnused`. No block gets pages that the machine has not left
/// (base/memory_budget.h). Any thread. A forked child shares the pages; it takes and frees nothing.
class Arena {
 public:
  /// Addresses are taken for all of an arena, in each peer too.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 30;
  /// So long memory stays warm that nobody uses; up to twice as long beside blocks that are taken
  /// and freed. To fill fresh pages takes six times as long as to fill warm ones.
  static constexpr base::Duration kRest = std::chrono::seconds(5);

  /// Made when it is first asked for, never destroyed. Null: it cannot be made now, or this is a
  /// forked child.
  static Arena* get() noexcept;
  /// That one, if it has been made.
  static Arena* existing() noexcept;
  /// When it has something to give back: behind the poller of each loop, so that whichever is moved
  /// first does it. Never destroyed; null: there is no descriptor for it.
  static base::TimerDescriptor* timer() noexcept;

  /// False: the process may use only so many addresses (RLIMIT_AS), and needs them for other
  /// things.
  static bool mayReserve() noexcept;

  /// How many bytes may have pages: of free blocks, and of all.
  struct Limits {
    std::size_t idle, total;
  };
  /// Another one, for blocks of `bytes`. `timer` is set whenever `giveBackUnused` will have
  /// something to do; null: nobody is told. `available` is for tests. Throws.
  Arena(std::size_t bytes, Limits limits, base::TimerDescriptor* timer = nullptr,
        base::MemoryBudget::Available available = base::availableMemory);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Begins at a page. Null: there is no room, the limit is reached, or there is no memory.
  void* allocate(std::size_t size) noexcept;
  /// A block that was allocated with this size.
  void free(void* block, std::size_t size) noexcept;
  /// @name A block whose pages may come when they are written
  /// @{
  struct Reserved {
    void* block;     // null: as above, or a page that is missing then would be a signal
    bool has_pages;  // all of them: it is a block like others
  };
  Reserved reserve(std::size_t size) noexcept;
  /// One that did not have its pages.
  void freeReserved(void* block, std::size_t size) noexcept;
  /// @}

  /// @name Memory of free blocks, to the system; they return the bytes
  /// @{
  std::size_t trim() noexcept;
  /// What nobody has needed for `kRest`, at `now`.
  std::size_t giveBackUnused(base::TimePoint now) noexcept;
  /// @}
  /// What is beyond the new limits goes at once, as far as it is free.
  void setLimits(std::optional<std::size_t> idle, std::optional<std::size_t> total) noexcept;

  /// Its first bytes: what of the process's memory its peers may reach. Null: no memory for it.
  MemoryTable* table() noexcept;
  bool contains(const void* begin, std::size_t size) const noexcept;
  std::span<std::byte> bytes() const noexcept { return memory_.bytes(); }
  struct Stats {
    std::uint64_t used_bytes, idle_bytes;
    Limits limits;
    std::uint64_t taken, reused;  // blocks so far; those with half of their pages or more warm
  };
  Stats stats() noexcept;
  /// To hand out.
  int descriptor() const noexcept { return memory_.descriptor(); }

 private:
  void* at(std::size_t offset) const noexcept { return bytes().data() + offset; }
  std::size_t offsetOf(const void* block) const noexcept;
  std::optional<FreeSpace::Place> take(std::size_t block_bytes) noexcept;
  bool isAllowed(std::size_t block_bytes) noexcept;
  std::optional<FreeSpace::Place> takeOnce(std::size_t block_bytes) noexcept;
  /// A block whose pages come later, and are promised until then.
  struct PendingBlock {
    std::size_t bytes, cold_bytes;  ///< of all of it; of what had no pages
  };
  bool givePages(std::size_t offset, std::size_t bytes) noexcept;
  bool promisePages(FreeSpace::Place place, std::size_t block_bytes) noexcept;
  bool makeRoom(std::size_t bytes) noexcept;
  bool commitPending() noexcept;
  std::optional<PendingBlock> takePending(std::size_t offset) noexcept;
  void undoTake(FreeSpace::Place place, std::size_t block_bytes) noexcept;
  void removePages(FreeSpace::Part part) noexcept;
  void forgetPages(FreeSpace::Part part) noexcept;
  std::size_t cool(std::size_t most) noexcept;
  void coolBeyondLimits() noexcept;
  // With the lock:
  std::size_t roomUnderTotal() const noexcept;
  std::size_t excess() const noexcept;
  std::size_t unusedAt(base::TimePoint now) noexcept;
  void noteUse() noexcept;
  void setAlarm(base::TimePoint now) noexcept;

  base::SharedMemory memory_;
  base::MemoryBudget budget_;
  base::TimerDescriptor* const timer_;

  std::mutex mutex_;        // of what follows
  bool has_table_ = false;  // its pages
  FreeSpace space_;
  Limits limits_;
  std::size_t used_ = 0;                         // bytes of blocks that are taken
  std::uint64_t taken_ = 0, reused_ = 0;         // blocks
  std::map<std::size_t, PendingBlock> pending_;  // by offset
  // When memory has rested: the fewest bytes that were free at a time since `since_`.
  std::size_t least_idle_ = 0;
  base::TimePoint since_{};
  base::TimePoint last_use_{};
  base::TimePoint alarm_ = base::TimePoint::max();  // max: not set
};

}  // namespace ucxx::local
