// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <sys/types.h>

#include "base/file_descriptor.h"

namespace ucxx::local {

/// A descriptor of any process, for this one only; empty, and errno, if there is none.
base::FileDescriptor openPidfd(pid_t pid) noexcept;

/// A descriptor of this process, for its peers: it tells them the end of this process, and nothing
/// else can. Needs Linux 5.3; throws UNSUPPORTED where pidfd_open is missing.
base::FileDescriptor openOwnPidfd();

/// A peer, by the pidfd that it passed.
class PeerProcess {
 public:
  /// Throws INVALID_PARAM if the descriptor is no pidfd.
  explicit PeerProcess(base::FileDescriptor pidfd);

  /// Its number in the pid namespace of this process; 0: it is not visible here, -1: it had ended
  /// before.
  pid_t pid() const noexcept { return pid_; }
  /// False once no thread of it runs any more, not even in a system call.
  bool isAlive() const noexcept;
  /// The same, and its end of `socket` is open: it has not become another program either.
  bool isThere(int socket) const noexcept;
  /// Whether it made the other end of `socket`, a Unix one.
  bool isAt(int socket) const noexcept;
  /// Whether both may run at once: between them they may use more than one core.
  bool canRunBeside() const noexcept;
  /// Readable when it has ended.
  int descriptor() const noexcept { return pidfd_.get(); }

 private:
  base::FileDescriptor pidfd_;
  pid_t pid_;
};

}  // namespace ucxx::local
