// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#include "base/file_descriptor.h"
#include "base/shared_memory.h"
#include "shmem/joining/process_info.h"
#include "shmem/memory/control.h"
#include "shmem/memory/layout.h"

// What both sides of the Unix socket need at which rank 0 hands out the memory.

namespace ucxx::shmem {

/// So long each side waits for the other one to come. For a process that is alive and gets a
/// processor this is long.
inline constexpr auto kPatience = std::chrono::seconds(10);

/// What a process answers to rank 0 when it has got the memory, or could not use it.
struct Result {
  char error[256] = {};  ///< ends with 0; empty: none
};

/// Abstract: no file is left.
struct SocketName {
  sockaddr_un address{};
  socklen_t length = 0;

  /// Of the socket of rank 0.
  explicit SocketName(const ProcessInfo& first);
  const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&address); }
};

/// A Unix socket of messages.
base::FileDescriptor openSocket();

/// The process that made the other end; 0: it is another user's.
pid_t processAt(int socket) noexcept;

/// This process gives its parts of the memory their pages, and tells whoever waits for it whom to
/// watch.
void introduce(base::SharedMemory& memory, const Layout& layout, int rank, const ProcessInfo& info);

inline Common& commonIn(const base::SharedMemory& memory) noexcept {
  return *reinterpret_cast<Common*>(memory.bytes().data());
}

}  // namespace ucxx::shmem
