// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <vector>

#include "base/shared_memory.h"
#include "shmem/joining/process_info.h"
#include "shmem/memory/layout.h"

namespace ucxx::shmem {

/// A process other than rank 0 fetches the memory there, and waits until all have it. Throws where
/// one has not.
base::SharedMemory fetch(const std::vector<ProcessInfo>& infos, int rank, const Layout& layout);

}  // namespace ucxx::shmem
