// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <string>

#include "base/shared_memory.h"
#include "shmem/memory/layout.h"

// Bring your own: the processes of a job that something else has started find each other by an
// exchange that the program brings.
//
//   rank 0                                others
//   makes the memory, and a Unix socket with a random name (memory_server.h)
//        -- allgather: who and where each is, and the name (process_info.h) --
//   hands the memory out         ->       each maps it (memory_client.h),
//                                <-       and answers: Result, or ends
//   writes into the memory whether all have it, and hangs up: all read that, and go on or fail
//   alike
//
// Where the allgather has failed on one alone the others miss it at the socket.

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
/// process cannot be a PE, is not empty on one of them. All have introduced themselves in the
/// memory when it returns.
Brought bringTogether(const OwnExchange& exchange, std::size_t heap_bytes,
                      const std::string& error);

}  // namespace ucxx::shmem
