// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "shmem/memory/layout.h"

// What `oshrun` and a PE say to each other, in messages of a Unix socket (SOCK_SEQPACKET) that the
// PE has inherited. Both are of one version of UCXX, or the hello says that they are not.
//
//   PE                            oshrun
//   Hello           ->                      one each; the first one decides the layout
//                   <-            Welcome   with the descriptor of the memory, or a refusal
//   GlobalExit      ->                      any number, the first one counts
//
// With its hello a PE may send the write end of a pipe, which oshrun only holds: the PE learns from
// the read end when oshrun has ended. (The socket itself tells it nothing for certain: an event of
// a message may come after the message was read.) The socket stays open as long as the PE lives.

namespace ucxx::shmem {

/// "SOCKET:PE:PES", decimal. The first process that uses it removes it from its environment.
inline constexpr const char* kLaunchVariable = "UCXX_SHMEM_LAUNCH";
/// "PROCESS:PE:PES": that process has used the socket. If it executes another program, the socket
/// is closed, and the program finds this.
inline constexpr const char* kTakenVariable = "UCXX_SHMEM_TAKEN";

/// Changes whenever what the two share does: these messages, layout.h or control.h.
inline constexpr std::uint32_t kLaunchProtocol = 2;

enum class LaunchMessage : std::uint32_t { Hello = 0x4f68656c, Welcome, GlobalExit };

struct Hello {
  LaunchMessage message = LaunchMessage::Hello;
  std::uint32_t protocol = kLaunchProtocol;
  char version[32] = {};                ///< of the library, ends with 0
  std::uint64_t device = 0, inode = 0;  ///< of the executable (/proc/self/exe)
  std::uint64_t heap_bytes = 0;         ///< SHMEM_SYMMETRIC_SIZE
  std::uint64_t statics_bytes = 0;      ///< of the executable; 0: it has none that are symmetric
  char executable[256] = {};            ///< its path, for messages; ends with 0
};

struct Welcome {
  LaunchMessage message = LaunchMessage::Welcome;
  std::uint32_t accepted = 0;
  Layout layout;
  char reason[512] = {};  ///< of a refusal; ends with 0
};

struct GlobalExit {
  LaunchMessage message = LaunchMessage::GlobalExit;
  std::int32_t status = 0;
};

}  // namespace ucxx::shmem
