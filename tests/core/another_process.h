// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <csignal>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_descriptor.h"

namespace ucxx::core::test {

/// A forked copy of this process that does nothing, for a peer to give away as its own process.
class AnotherProcess {
 public:
  AnotherProcess() = default;
  AnotherProcess(const AnotherProcess&) = delete;
  AnotherProcess& operator=(const AnotherProcess&) = delete;
  ~AnotherProcess() { kill(); }

  /// Starts it. Returns its pidfd.
  base::FileDescriptor fork() {
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;) ::pause();
    }
    return base::FileDescriptor(static_cast<int>(::syscall(kPidfdOpen, pid_, 0)));
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  static constexpr long kPidfdOpen = 434;  // older headers lack the name
  pid_t pid_ = 0;
};

}  // namespace ucxx::core::test
