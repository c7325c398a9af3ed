// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <vector>

#include "base/file_descriptor.h"
#include "base/shared_memory.h"
#include "shmem/card.h"
#include "shmem/layout.h"

namespace ucxx::shmem {

/// Where rank 0 hands the memory out to the other processes of the job. When it goes those that
/// come see at once that nobody serves them.
struct Counter {
  base::SharedMemory memory;
  base::FileDescriptor listening;
};

/// Makes the memory, with what rank 0 writes there, and listens. `card`, of rank 0, gets the name
/// of the socket.
Counter openCounter(const Layout& layout, Card& card);

/// Serves all others, and says in the memory whether all have it. Throws where one has not.
base::SharedMemory serve(Counter counter, const std::vector<Card>& cards);

}  // namespace ucxx::shmem
