// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "shmem/oshrun/pe.h"

namespace ucxx::shmem::oshrun {

/// PEs that are stopped (SIGSTOP, a debugger's neighbour, a read from the terminal): slow, not
/// dead.

/// The state of the PE has changed as waitpid says it, but it has not ended.
void noteStop(Pe& pe, int change);
/// When the next one is to be told.
base::TimePoint nextStopToTell(const Pes& pes) noexcept;
/// A text for each that has been stopped for long, once.
std::vector<std::string> stopsToTell(Pes& pes, base::TimePoint now);

}  // namespace ucxx::shmem::oshrun
