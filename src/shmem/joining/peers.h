// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::shmem {

/// Looks whether all PEs still run, where no launcher does (bring your own): else ends the program
/// with a message that names one. Opens a pidfd of each when it is called first. Any thread.
void requirePeersAlive(const char* call) noexcept;

/// Ends all other PEs, where no launcher does: gives those that wait some time to leave by
/// themselves, then sends SIGTERM.
void endPeers() noexcept;

/// From now on that is the PEs' own business: bring-your-own has brought more than one PE together.
void watchPeers() noexcept;

}  // namespace ucxx::shmem
