// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::shmem {

/// Throws ucxx::Error (UNSUPPORTED), which says what to do, where another launcher (Open MPI's,
/// hydra, Slurm) has started this process beside others: each would be a job of one PE, which is
/// silently wrong.
void requireNoOtherLauncher();

}  // namespace ucxx::shmem
