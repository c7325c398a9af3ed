// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "shmem/oshrun/memory.h"
#include "shmem/oshrun/pe.h"

namespace ucxx::shmem::oshrun {

/// Which PEs are in one long wait all the time. Looks are counted, not time: the whole machine may
/// stand still for a while.
class LongWaits {
 public:
  struct Seen {
    std::optional<Wait> wait;
    int looks = 0;  ///< that have found the PE in this wait, without a break
  };

  /// Looks at all PEs once more.
  void look(const Pes& pes, const JobMemory& memory) {
    seen_.resize(pes.size());
    for (const Pe& pe : pes) lookAt(pe, memory, seen_[static_cast<std::size_t>(pe.number)]);
  }
  const Seen& of(const Pe& pe) const { return seen_[static_cast<std::size_t>(pe.number)]; }

 private:
  /// A stopped PE is slow; it does not wait.
  static void lookAt(const Pe& pe, const JobMemory& memory, Seen& seen) {
    std::optional<Wait> wait = memory.waitOf(pe.number);
    const bool waits = wait && !pe.end && !pe.isStopped();
    const bool is_same = waits && wait == seen.wait;
    seen.looks = is_same ? seen.looks + 1 : waits ? 1 : 0;
    seen.wait = std::move(wait);
  }

  std::vector<Seen> seen_;
};

}  // namespace ucxx::shmem::oshrun
