// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "base/shared_memory.h"
#include "shmem/memory/layout.h"

// The PE's side of what launch.h says.

namespace ucxx::shmem {

/// The socket of `oshrun`, of the first process that asks for it.
class Launcher {
 public:
  /// Takes the socket, and removes the variable from the environment. Nothing: no `oshrun` has
  /// started this process. Throws ucxx::Error if the variable is garbage.
  static std::optional<Launcher> take();
  /// Throws ucxx::Error if this process has taken the socket before it executed this program: it
  /// would be a job of one PE, and so would each of its peers.
  static void requireNotTaken();

  int pe() const noexcept { return pe_; }
  int pes() const noexcept { return pes_; }

  struct Memory {
    base::SharedMemory memory;
    Layout layout;
  };
  /// Says hello, and waits for the memory of the node; throws ucxx::Error with the reason of a
  /// refusal.
  Memory meet(std::size_t heap_bytes, std::size_t statics_bytes);

  /// shmem_global_exit; any thread.
  void tellExit(int status) const noexcept;

 private:
  Launcher(base::FileDescriptor socket, int pe, int pes) noexcept
      : socket_(std::move(socket)), pe_(pe), pes_(pes) {}

  base::FileDescriptor socket_;
  base::FileDescriptor life_;  ///< readable when `oshrun` has ended
  int pe_, pes_;
};

}  // namespace ucxx::shmem
