// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::shmem {

/// shmem_global_exit: the first status of a job counts. Any thread, any number of PEs at once.
[[noreturn]] void exitAll(int status) noexcept;

/// Ends this PE if some PE has called shmem_global_exit; long waits call it.
void leaveIfAsked() noexcept;

/// This PE ends so: whatever its exit handlers call must not wait for others.
bool isLeaving() noexcept;

}  // namespace ucxx::shmem
