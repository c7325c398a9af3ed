// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <vector>

#include "base/file_descriptor.h"
#include "base/shared_memory.h"
#include "shmem/joining/process_info.h"
#include "shmem/memory/layout.h"

namespace ucxx::shmem {

/// Where rank 0 hands the memory out to the other processes of the job. When it goes those that
/// come see at once that nobody serves them.
struct MemoryServer {
  base::SharedMemory memory;
  base::FileDescriptor listening;
};

/// Makes the memory, with what rank 0 writes there, and listens. `info`, of rank 0, gets the name
/// of the socket.
MemoryServer openMemoryServer(const Layout& layout, ProcessInfo& info);

/// Serves all others, and says in the memory whether all have it. Throws where one has not.
base::SharedMemory serve(MemoryServer server, const std::vector<ProcessInfo>& infos);

}  // namespace ucxx::shmem
