// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include <sys/types.h>

#include "base/file_descriptor.h"

namespace ucxx::shmem {

/// Another process, known by its number and its start time (process_name.h).
class WatchedProcess {
 public:
  /// Nobody, who never ends.
  WatchedProcess() noexcept = default;
  /// Its number may be another process's by now.
  WatchedProcess(pid_t pid, std::uint64_t start_time) noexcept;

  bool hasEnded() const noexcept;
  /// It runs, and its end will be seen.
  bool isRunning() const noexcept { return pidfd_ && !hasEnded(); }
  /// Sends SIGTERM.
  void end() const noexcept;

 private:
  base::FileDescriptor pidfd_;
  bool was_gone_ = false;  ///< when it was to be watched
};

}  // namespace ucxx::shmem
