// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/available_memory.h"
#include "base/shared_memory.h"

namespace ucxx::base {

/// How much shared memory a process may give pages. Pages of shared memory count for no process, so
/// a lack of them ends other programs. So they are asked for before they are taken.
///
/// The first `kExempt` bytes are free. For more, the budget grows by whole steps, each of which the
/// machine must have left. What has been granted and has no pages yet is promised: processes that
/// allocate at once share one word, and see the promises of all.
///
/// Bytes are reserved, committed when they have their pages, and released when the pages have gone.
/// Any thread.
class MemoryBudget {
 public:
  static constexpr std::size_t kExempt = std::size_t{64} << 20;
  /// A step is large beside the cost of a look at the system. It need not be what is exempt.
  static constexpr std::size_t kStep = std::size_t{64} << 20;
  /// Tells how many bytes may be taken now.
  using Available = std::uint64_t (*)() noexcept;

  explicit MemoryBudget(Available available = availableMemory) noexcept : available_(available) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// Promises are added to a word that processes share, from now on. Before anything is reserved;
  /// the word outlives the budget.
  void shareWith(std::atomic<std::uint64_t>& promises) noexcept { promises_ = &promises; }

  /// False: there is no room for so many bytes, beside what all have been promised.
  bool reserve(std::size_t bytes) noexcept;
  /// Bytes that were reserved have their pages.
  void commit(std::size_t bytes) noexcept;
  /// Bytes that were reserved will not get their pages.
  void cancel(std::size_t bytes) noexcept;
  /// Bytes that were committed have lost their pages.
  void release(std::size_t bytes) noexcept;
  /// For who commits much: others, of whom this budget knows nothing, may take memory meanwhile.
  /// False: nothing is left, and whoever goes on eats the reserve of the machine.
  bool mayGoOn() noexcept;

 private:
  bool grow(std::size_t bytes) noexcept;
  void shrink() noexcept;
  void tellPromises() noexcept;

  const Available available_;
  std::atomic<std::uint64_t> own_promises_{0};
  std::atomic<std::uint64_t>* promises_ = &own_promises_;

  std::mutex mutex_;
  // committed_ <= reserved_ <= granted_
  std::size_t granted_ = kExempt, reserved_ = 0, committed_ = 0;
  std::size_t told_ = 0;  ///< the part of `promises_` that is this budget's
};

/// Gives a part of shared memory its pages, within the budget; false: there is no room, or the
/// system has no more. Then the part has none.
bool populateWithin(MemoryBudget& budget, SharedMemory& memory, std::size_t offset,
                    std::size_t bytes) noexcept;

}  // namespace ucxx::base
