// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shmem/oshrun/memory.h"
#include "shmem/oshrun/pe.h"

namespace ucxx::shmem::oshrun {

/// "PE 1 (pid 4711)".
std::string nameOf(const Pe& pe);
/// "PE 1 (pid 4711) was killed by signal 9 (Killed)".
std::string endOf(const Pe& pe);
/// "PE 1 (pid 4711) exited with status 0 without shmem_finalize".
std::string leavingOf(const Pe& pe, PeState state);
/// "signal 9 (Killed)".
std::string signalText(int number);

/// Each PE that has not ended and is in a long wait, with "in" and the function.
using Calls = std::vector<std::pair<int, std::string>>;
Calls callsOf(const Pes& pes, const JobMemory& memory);
/// With those that are in no long wait, or stopped.
Calls allCallsOf(const Pes& pes, const JobMemory& memory);
/// "; PE 0 was in shmem_barrier_all, PEs 2 and 3 were in shmem_quiet", or nothing.
std::string callsText(const Calls& calls);

}  // namespace ucxx::shmem::oshrun
