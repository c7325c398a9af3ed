// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <string>

#include "base/shared_memory.h"
#include "shmem/layout.h"

// Bring your own: the processes of a job that something else has started find each other by an
// exchange that the program brings.
//
//   rank 0 makes the memory, and a Unix socket with a random name
//   -- allgather: who and where each is, and the name --     all see what does not fit, and fail
//   alike rank 0 hands the memory out at the socket, to processes of the same user
//   -- allgather: who has it --                              all fail if one has not
//   each says in the memory that it has joined, or that this allgather has failed on it

namespace ucxx::shmem {

using Allgather = int (*)(const void* mine, void* all, std::size_t bytes, void* context);

struct OwnExchange {
  int rank, size;
  Allgather allgather;
  void* context;
};

struct Brought {
  base::SharedMemory memory;
  Layout layout;
};

/// Collective. Throws ucxx::Error, with the reason, on all processes; so also if `error`, why this
/// process cannot be a PE, is not empty on one of them.
Brought bringTogether(const OwnExchange& exchange, std::size_t heap_bytes,
                      const std::string& error);

}  // namespace ucxx::shmem
