// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>

#include "shmem/oshrun/long_waits.h"
#include "shmem/oshrun/memory.h"
#include "shmem/oshrun/pe.h"

namespace ucxx::shmem::oshrun {

/// Finds a PE that has left with status 0 although the others need it.
class Missed {
 public:
  static constexpr base::Duration kBetweenLooks = std::chrono::milliseconds(100);

  /// Looks at all PEs once more. The number of the PE that is missed, if it is certain by now.
  std::optional<int> look(const Pes& pes, const JobMemory& memory);

 private:
  std::optional<int> awaitedByOne(const Pes& pes, const JobMemory& memory) const;
  bool doAllWait(const Pes& pes) const;

  LongWaits waits_;
};

}  // namespace ucxx::shmem::oshrun
